"""Rules of bidding for the league: the advisor's own, and baselines from other programs."""
