// Made by `python -m plenilune.server.protocol.typescript` from the protocol and the views: do not edit.

/** What was asked for is not done, and nothing has changed. The body of every HTTP answer from 400 on. */
export interface Refused {
  kind: "refused";
  reason: Reason;
  message: string;
  id: string | null;
  ply: number | null;
}

/** Seats and options that go together. */
export interface Setting {
  seats: number;
  options: Record<string, string>;
}

export interface GameInfo {
  name: string;
  title: string;
  rules: number;
  components: string;
  seats: number[];
  options: Record<string, string[]>;
  settings: Setting[];
  bots: string[];
  secrets: boolean;
  solo: boolean;
  phrases: string[];
}

export interface Games {
  games: GameInfo[];
  version: string;
}

/** Says who one is. Nobody needs an account: a name, and a cookie that the browser keeps. */
export interface Guest {
  name: string;
  key?: boolean;
}

export interface Me {
  id: string;
  name: string;
  key: string | null;
}

/** Asks for an API key for a program of mine. */
export interface NewKey {
  label?: string;
}

export interface Key {
  id: string;
  label: string;
  created: number;
  used: number | null;
  key: string | null;
}

export interface Keys {
  keys: Key[];
}

export interface Whoami {
  me: Me | null;
  now: number;
}

/** Everybody takes their time. */
export interface NoClock {
  kind: "none";
}

/** Real time: a bank for the match, and an increment after every turn. */
export interface BankClock {
  kind: "bank";
  bank: number;
  increment?: number;
}

/** So many days for every turn. */
export interface DaysClock {
  kind: "days";
  days: number;
}

/** I sit here; at several seats, everybody sits at my screen. */
export interface Mine {
  kind: "me";
  name?: string | null;
}

/** For whoever gets the invitation. */
export interface Friend {
  kind: "friend";
}

/** For whoever comes first, from the lobby or by the table's link. */
export interface Open {
  kind: "open";
}

export interface BotSeat {
  kind: "bot";
  bot: string;
}

export interface NewTable {
  game: string;
  seats: SeatWish[];
  options?: Record<string, string>;
  clock?: Clock;
  public?: boolean;
  spectators?: boolean;
  hints?: boolean;
  chat?: boolean;
  stand_in?: string | null;
  ticket?: string | null;
  nonce?: string | null;
}

/** A seat held for a friend. The link works once. */
export interface Invite {
  seat: number;
  secret: string;
  link: string;
}

export interface SeatInfo {
  seat: number;
  held_by: "person" | "bot" | "friend" | "open";
  name: string;
  person: string | null;
  bot: string | null;
  connected: boolean;
  absent: boolean;
  resigned: boolean;
  reserved: string | null;
}

export interface Clocks {
  left: (number | null)[];
  running: number | null;
  since: number | null;
  deadline: number | null;
}

/** A seed for a table that I am about to make. I see its commitment before I contribute my nonce, so the server cannot choose the seed to fit the nonce. A ticket is good for one table, for ten minutes. */
export interface DiceOffer {
  ticket: string;
  commitment: string;
}

/** What one player's browser contributed to the dice. */
export interface Nonce {
  person: string;
  nonce: string;
}

export interface Fairness {
  commitment: string;
  nonces: Nonce[];
  seed: string | null;
}

/** Which deal a match is. */
export interface Daily {
  day: string;
  closes: number;
}

export interface Result {
  scores: number[];
  places: number[];
  resigned: boolean;
}

/** A table as everybody sees it, without the board. */
export interface TableInfo {
  id: string;
  game: string;
  options: Record<string, string>;
  status: "waiting" | "playing" | "over";
  seats: SeatInfo[];
  mine: number[];
  host: string;
  am_host: boolean;
  clock: Clock;
  clocks: Clocks;
  public: boolean;
  spectators: boolean;
  hints: boolean;
  bots_ready: boolean;
  chat: boolean;
  stand_in: string;
  ply: number;
  to_play: number;
  created: number;
  changed: number;
  fairness: Fairness;
  daily: Daily | null;
  result: Result | null;
  rematch: string | null;
  watching: number;
  problem: string | null;
}

export interface TableMade {
  table: TableInfo;
  invites: Invite[];
}

/** With a secret, at its seat; without, at that open seat or the first. */
export interface Join {
  secret?: string | null;
  seat?: number | null;
  nonce?: string | null;
}

/** Asks for the same again, or accepts when somebody else has asked. It begins when everybody has accepted. */
export interface Rematch {
  ticket?: string | null;
  nonce?: string | null;
}

/** Which of my seats; none: all of them. */
export interface SeatRequest {
  seat?: number | null;
}

/** The host makes a new link for a seat that is open or held for a friend; older links stop working. */
export interface InviteRequest {
  seat: number;
}

/** The host fills the seats that are still free with bots. */
export interface Start {
  bot?: string;
}

/** A table in the lobby. */
export interface TableRow {
  id: string;
  game: string;
  options: Record<string, string>;
  status: "waiting" | "playing" | "over";
  seats: SeatInfo[];
  mine: number[];
  clock: Clock;
  to_play: number;
  ply: number;
  created: number;
  changed: number;
  deadline: number | null;
  daily: string | null;
  result: Result | null;
}

export interface Lobby {
  kind: "lobby";
  open: TableRow[];
  live: TableRow[];
  mine: TableRow[];
  now: number;
}

/** What is different from the lobby sent before: rows that are new or changed, and each list's order if that is. */
export interface LobbyChanges {
  kind: "lobby_changes";
  rows: TableRow[];
  open: string[] | null;
  live: string[] | null;
  mine: string[] | null;
  now: number;
}

export interface Best {
  game: string;
  options: Record<string, string>;
  score: number;
  match: string;
  at: number;
  played: number;
}

export interface Bests {
  bests: Best[];
}

export interface Rank {
  rank: number;
  name: string;
  score: number;
  mine: boolean;
}

/** Today's deal, or another day's: the same seed for everybody. */
export interface DailyDeal {
  game: string;
  day: string;
  options: Record<string, string>;
  commitment: string;
  seed: string | null;
  opens: number;
  ends: number;
  closes: number;
  match: string | null;
  score: number | null;
  unranked: "new_guest" | "same_address" | "same_actions" | null;
  ranking: Rank[];
  finished: number;
}

/** One action, as the viewer may know it: `key` and `args` make a sentence in any language. */
export interface LogEntry {
  ply: number;
  actor: number;
  key: string;
  args: string[];
  by: "person" | "bot" | "stand-in" | "chance";
  at: number;
  facts: Record<string, unknown>;
}

/** Where the match is now, for one viewer. The first one has everything; a later one has only what has changed of the view since `base`: fields in `view`, single places of lists in `parts`. A client that is not at `base`, with that hash, asks to `resync`. */
export interface Update {
  kind: "update";
  match: string;
  viewer: number;
  ply: number;
  hash: string;
  base: number | null;
  base_hash: string | null;
  view: Partial<GameView>;
  parts: Record<string, Record<string, unknown>>;
  log: LogEntry[];
  log_from: number;
  to_play: number;
  legal: string[];
  turn: number;
  scores: number[];
  places: number[];
  clocks: Clocks;
  now: number;
}

/** It is kept. Sent again for the same `id`, however often that comes. */
export interface Played {
  kind: "played";
  id: string;
  ply: number;
  hash: string;
}

/** Where the actions would lead, as far as the seat can tell: no further than chance or a secret. */
export interface Previewed {
  kind: "previewed";
  id: string;
  ply: number;
  done: number;
  stopped: "" | "chance" | "secret" | "turn" | "over";
  view: Partial<GameView>;
  to_play: number;
  legal: string[];
  scores: number[];
  places: number[];
}

export interface HintAction {
  action: string;
  worth: number;
  visits: number;
}

/** A better and better answer; the last one is `done`. */
export interface Hinted {
  kind: "hinted";
  id: string;
  ply: number;
  seat: number;
  action: string;
  values: number[];
  actions: HintAction[];
  line: string[];
  simulations: number;
  solved: boolean;
  done: boolean;
}

export interface ChatLine {
  kind: "chat";
  number: number;
  person: string;
  name: string;
  seat: number;
  text: string;
  phrase: string | null;
  at: number;
  deleted: boolean;
}

/** Tells the operators about a chat line. */
export interface Report {
  line: number;
  note?: string;
}

export interface Reported {
  line: number;
}

/** The first message of every connection; an `update` follows once the match has begun. */
export interface Welcome {
  kind: "welcome";
  me: Me | null;
  table: TableInfo;
  viewer: number;
  curtain: boolean;
  chat: ChatLine[];
  now: number;
}

/** Seats, presence, clocks, status, result, seed or rematch have changed. */
export interface TableChanged {
  kind: "table";
  table: TableInfo;
  viewer: number;
  curtain: boolean;
}

export interface Pong {
  kind: "pong";
  id: string;
  now: number;
}

/** A whole turn or a part of it: all of the actions are played, or none. */
export interface Play {
  kind: "play";
  id: string;
  ply: number;
  actions: string[];
  hash?: string | null;
  seat?: number | null;
}

/** Changes nothing. */
export interface Preview {
  kind: "preview";
  id: string;
  ply: number;
  actions: string[];
  seat?: number | null;
}

/** Show me the table as this seat of mine; -1 closes the curtain. */
export interface Look {
  kind: "look";
  viewer: number;
}

/** What would a bot play? For the seat to play, if it is mine. */
export interface Hint {
  kind: "hint";
  id: string;
  seconds?: number;
  actions?: string[];
}

export interface StopHint {
  kind: "stop_hint";
  id: string;
}

/** A line of one's own, or a quick phrase. */
export interface Say {
  kind: "say";
  text?: string;
  phrase?: string | null;
}

/** Send a whole update; the log from that ply on. */
export interface Resync {
  kind: "resync";
  ply?: number;
}

export interface Ping {
  kind: "ping";
  id: string;
}

/** The match after so many plies, as the viewer saw it then. */
export interface Frame {
  ply: number;
  hash: string;
  view: Partial<GameView>;
  parts: Record<string, Record<string, unknown>>;
  entry: LogEntry | null;
  to_play: number;
  scores: number[];
  places: number[];
}

/** Every position from one ply to another: what the log, a replay and its scrubber are made of. */
export interface History {
  match: string;
  viewer: number;
  first: number;
  last: number;
  ply: number;
  frames: Frame[];
}

export interface Roll {
  ply: number;
  outcomes: string[];
  outcome: string;
}

/** All that is needed to check the dice. The outcome at a ply is HMAC-SHA256(key, "ply.attempt") modulo the number of outcomes; an attempt at or above the largest multiple of that number is skipped. Without nonces the key is the seed. With nonces it is HMAC-SHA256(seed, "nonces " and the nonces with spaces between them), in hexadecimal. */
export interface DiceRolls {
  match: string;
  commitment: string;
  seed: string;
  nonces: string[];
  rolls: Roll[];
}

/** What a search thinks of one action, judged by what its seat had seen. */
export interface ReviewRemark {
  kind: "remark";
  ply: number;
  seat: number;
  action: string;
  better: string;
  before: number[];
  after: number[];
  mark: "" | "best" | "?!" | "?" | "??";
  forced: boolean;
  done: number;
  total: number;
}

/** The last line of a review. */
export interface ReviewEnd {
  kind: "end";
  total: number;
}

/** With status 503 if something is failing. */
export interface Health {
  status: "ok" | "failing";
  version: string;
  database: string;
  tables: number;
  sockets: number;
  problems: string[];
}

export interface OnlinePerson {
  person: string | null;
  name: string;
  networks: string[];
  sockets: number;
  tables: string[];
  since: number;
}

export interface Online {
  people: OnlinePerson[];
  processes: number;
  missing: number;
}

export interface Player {
  name: string;
  person: string | null;
}

export interface OperatorTable {
  id: string;
  game: string;
  status: "waiting" | "playing" | "over";
  public: boolean;
  host: string;
  players: Player[];
  ply: number;
  created: number;
  changed: number;
}

export interface OperatorTables {
  tables: OperatorTable[];
}

export interface Chat {
  lines: ChatLine[];
}

/** Why, for the audit log. */
export interface OperatorNote {
  note?: string;
}

/** Bans a person or an address; a ban of the same one is replaced. */
export interface NewBan {
  reason: string;
  person?: string | null;
  address?: string | null;
  until?: number | null;
}

export interface Ban {
  id: string;
  person: string | null;
  name: string;
  network: string | null;
  reason: string;
  at: number;
  until: number | null;
}

export interface Bans {
  bans: Ban[];
}

export interface ReportedLine {
  id: string;
  match: string;
  line: number;
  author: string;
  name: string;
  text: string;
  person: string;
  note: string;
  at: number;
  closed: number | null;
}

export interface Reports {
  reports: ReportedLine[];
}

/** What an operator did. */
export interface AuditEntry {
  id: string;
  at: number;
  operator: string;
  action: "add_key" | "revoke_key" | "close_table" | "read_chat" | "delete_line" | "ban" | "lift_ban" | "close_report";
  target: string;
  note: string;
}

export interface Audit {
  entries: AuditEntry[];
}

export type ServerMessage = Welcome | Update | TableChanged | Played | Previewed | Hinted | ChatLine | Refused | Pong | Lobby | LobbyChanges;

export type ClientMessage = Play | Preview | Look | Hint | StopHint | Say | Resync | Ping;

export type ReviewMessage = ReviewRemark | ReviewEnd | Refused;

export type Clock = NoClock | BankClock | DaysClock;

export type SeatWish = Mine | Friend | Open | BotSeat;

export type Reason = "bad_request" | "too_large" | "wrong_origin" | "unknown_guest" | "forbidden" | "not_found" | "bad_setting" | "bad_secret" | "seat_taken" | "not_started" | "over" | "not_over" | "not_your_turn" | "stale" | "unknown_action" | "illegal_action" | "cannot_continue" | "resigned" | "out_of_time" | "banned" | "too_often" | "too_many" | "unavailable";

export interface MoonLeapView {
  to_play: number;
  mover: number;
  die: string;
  post: MoonLeapPost;
  spaces: MoonLeapSpace[];
  length_certainty: string;
  pawns: MoonLeapPawn[];
  scores: number[];
}

export interface MoonLeapPost {
  after: number;
  passed: boolean;
  certainty: string;
}

export interface MoonLeapSpace {
  number: number;
  value: number | null;
  certainty: string;
}

export interface MoonLeapPawn {
  id: string;
  seat: number;
  number: number;
  space: number;
}

export interface NovaLunaView {
  to_play: number;
  step: string;
  mover: number;
  wheel: (NovaLunaTile | null)[];
  moon: number;
  takes: number[];
  hand: NovaLunaTile | null;
  supply: string[];
  track: NovaLunaTrackToken[];
  tableaux: NovaLunaTableau[];
  placements: NovaLunaPlacement[];
  solo: NovaLunaSolo | null;
  scores: number[];
  places: number[];
}

export interface NovaLunaTile {
  id: string;
  colour: string;
  number: number;
  tasks: string[];
}

export interface NovaLunaTrackToken {
  seat: number;
  distance: number;
  space: number;
  height: number;
}

export interface NovaLunaTableau {
  seat: number;
  tiles: NovaLunaLaidTile[];
  tokens_placed: number;
  tokens_left: number;
}

export interface NovaLunaLaidTile {
  id: string;
  colour: string;
  number: number;
  x: number;
  y: number;
  tasks: NovaLunaTask[];
}

export interface NovaLunaTask {
  asks: string;
  done: boolean;
}

export interface NovaLunaPlacement {
  action: string;
  x: number;
  y: number;
  covers: NovaLunaCovered[];
}

export interface NovaLunaCovered {
  tile: string;
  task: number;
  asks: string;
}

export interface NovaLunaSolo {
  phase: number;
  sum_1: number;
  sum_2: number;
  may_stop: boolean;
}

export interface ViaNebulaView {
  to_play: number;
  mover: number;
  asks: string;
  actions_left: number;
  extra: boolean;
  pending: ViaNebulaPending;
  last_round: boolean;
  map: string;
  hexes: ViaNebulaHex[];
  guilds: ViaNebulaGuild[];
  display: (ViaNebulaCard | null)[];
  deck: number;
  reserve: number;
  choices: ViaNebulaChoice[];
}

export interface ViaNebulaPending {
  hex: string | null;
  place: string | null;
  card: string | null;
  seat: number | null;
  removals: number;
}

export interface ViaNebulaHex {
  id: string;
  column: number;
  row: number;
  ground: string;
  certainty: string;
  tile: boolean;
  open: boolean;
  token: ViaNebulaToken | null;
  exploitation: ViaNebulaExploitation | null;
  places: ViaNebulaPlace[];
}

export interface ViaNebulaToken {
  id: string;
  resource: string;
  printed: number;
  yields: number;
  points: number;
  special: boolean;
  certainty: string;
}

export interface ViaNebulaExploitation {
  seat: number | null;
  resources: Record<string, number>;
}

export interface ViaNebulaPlace {
  id: string;
  holds: string;
  seat: number | null;
  resources: Record<string, number>;
}

export interface ViaNebulaGuild {
  seat: number;
  piles: number[];
  explorers: boolean[];
  craftsmen: number;
  sites: number;
  buildings: number;
  storage: Record<string, number>;
  tokens: ViaNebulaToken[];
  contracts: ViaNebulaCard[];
  hand: ViaNebulaCard[];
  privates_held: number;
  plans_held: number;
  end_card: boolean;
  score: number;
  place: number;
}

export interface ViaNebulaCard {
  id: string;
  kind: string;
  deck: string;
  cost: string;
  cost_certainty: string;
  points: number;
  for_each: string;
  points_certainty: string;
  power: string;
}

export interface ViaNebulaChoice {
  text: string;
  verb: string;
  targets: string[];
  path: string[];
}

export type GameView = MoonLeapView | NovaLunaView | ViaNebulaView;

/** The view of each game, by its name. */
export interface GameViews {
  "moon-leap": MoonLeapView;
  "nova-luna": NovaLunaView;
  "via-nebula": ViaNebulaView;
}
