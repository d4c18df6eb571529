"""The game itself in plain Python: cards, notation, rules, meld, auction, scoring."""
