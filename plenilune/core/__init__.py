"""What games are made of: records, compiled rules, action texts, dice and component tables."""
