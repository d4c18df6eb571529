"""Reference play: four seats that choose by sampling the cards they cannot see.

The yardstick for the engines that price a bid. Points are x10. Trump is suit 0 and the side suits
carry the names that `advisor.kernels.rounds` gives them; seat 0 is declarer, seat 2 the partner.
"""
