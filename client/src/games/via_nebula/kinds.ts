export const RESOURCES = ["wood", "stone", "clay", "wheat", "food"] as const;
export type Resource = (typeof RESOURCES)[number];

export const BUILDINGS = 5; // of a guild

/** The kinds of contract in the order of the box, and how many of each there are; the last four are private. */
export const KINDS = [
  ["store", 6],
  ["carpentry", 4],
  ["distillery", 6],
  ["airway", 4],
  ["abundance", 2],
  ["adventurers", 2],
  ["caravan", 2],
  ["export", 2],
  ["architect", 1],
  ["merchant", 1],
  ["mayor", 1],
  ["explorer", 1],
  ["priest", 1],
  ["quiet-town", 2],
  ["express-delivery", 2],
  ["secret-plan", 2],
  ["shortcut", 2],
] as const;
export const PRIVATE: readonly string[] = ["quiet-town", "express-delivery", "secret-plan", "shortcut"];
