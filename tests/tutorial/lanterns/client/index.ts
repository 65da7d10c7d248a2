import type { GameModule } from "plenilune/play/board";
import Board from "./Board.svelte";
import type { Words } from "./messages/en";
import type { LanternsView } from "./view";

export const game: GameModule<LanternsView, Words> = {
  name: "lanterns",
  title: "Lanterns",
  Board,
  asks: (_, { t }) => t("lanterns.ask"),
  action(action, { t }) {
    const [, slot = "", cell] = action.split(" ");
    return cell ? t("lanterns.hang", { slot, cell }) : t("lanterns.release", { slot });
  },
  facts: ({ args }, before) => ({ colour: before.row[Number(args[0]) - 1]?.colour ?? "" }),
  log({ key, args, actor, facts }, { t, name }) {
    const told = { name: name(actor), colour: String(facts?.["colour"] ?? "") };
    if (key === "lanterns.hang") return t("lanterns.hung", { ...told, cell: args[1]! });
    return key === "lanterns.release" ? t("lanterns.released", told) : null;
  },
  whyNot: () => null,
  ends: () => true,
  results: (view, { t }) => [{ label: t("lanterns.secret"), values: view.players.map((player) => player.secret) }],
};
