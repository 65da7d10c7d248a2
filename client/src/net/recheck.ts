/** The dice of a finished match, checked in this page: what could be rolled by its rules, and what was by its numbers. */
import { diceKey, pick } from "../dice/dice";
import { difference, seenOf } from "../dice/seen";
import type { DiceRolls, Roll, TableInfo } from "../protocol/messages";
import type { Replayed } from "../rules/replayed";
import { api } from "./api";
import { explain } from "./explain";

interface CheckedRoll extends Roll {
  number: string;
  /** Null: not known, since only the server says what could have been rolled. */
  fits: boolean | null;
}

export interface Recheck {
  rolls: readonly CheckedRoll[];
  /** Why the match could not be played again here, so that nothing is known for certain. */
  unchecked: string | null;
  /** The record is of another match, or the rules do not allow it. */
  broken: boolean;
  /** How many actions this browser saw while they were played, and the first that the record has otherwise. */
  saw: number;
  differs: number | null;
}

export async function recheck(table: TableInfo, dice: DiceRolls): Promise<Recheck> {
  try {
    const [record, rules] = await Promise.all([api.record(table.id), import("../rules/replayed")]);
    try {
      return compared(dice, await rules.replayed(table, dice, record), seenOf(table.id));
    } catch (error) {
      if (!rules.isBad(error)) throw error;
      return { ...claimed(dice), broken: true };
    }
  } catch (error) {
    return { ...claimed(dice), unchecked: explain(error) };
  }
}

/** The rolls as the rules have them. What the server says could have been rolled must be the same. */
function compared(dice: DiceRolls, { rolls, actions, same }: Replayed, seen: readonly string[]): Recheck {
  const told = new Map(dice.rolls.map((roll) => [roll.ply, roll]));
  const checked = rolls.map((roll) => {
    const { index, number } = rolled(dice, roll);
    const said = told.get(roll.ply);
    told.delete(roll.ply);
    const agreed = said !== undefined && said.outcome === roll.outcome && said.outcomes.join("\n") === roll.outcomes.join("\n");
    return { ...roll, number, fits: agreed && roll.outcomes[index] === roll.outcome };
  });
  const invented = [...told.values()].map((roll) => ({ ...roll, number: rolled(dice, roll).number, fits: false }));
  return { rolls: [...checked, ...invented], unchecked: null, broken: !same, saw: seen.length, differs: difference(seen, actions) };
}

/** The rolls as the server has them: they may be wrong by its own words, but not right. */
function claimed(dice: DiceRolls): Recheck {
  const rolls = dice.rolls.map((roll) => {
    const { index, number } = rolled(dice, roll);
    return { ...roll, number, fits: roll.outcomes[index] === roll.outcome ? null : false };
  });
  return { rolls, unchecked: null, broken: false, saw: 0, differs: null };
}

function rolled({ seed, nonces }: DiceRolls, { ply, outcomes }: Roll): { index: number; number: string } {
  return pick(diceKey(seed, nonces), ply, Math.max(1, outcomes.length));
}
