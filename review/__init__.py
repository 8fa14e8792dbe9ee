"""The review service: referrals of a scan -> decisions of people, with every step on record."""
