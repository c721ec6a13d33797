// Positions: how a match starts, and whether a position that was sent can be.

import { PACK, isCard, isTrumpSeven, suit } from "./cards.mjs";
import { Refusal, badPosition, badRequest } from "./errors.mjs";
import { MELDS } from "./melds.mjs";

export const SEATS = ["south", "north"];
export const HAND_SIZE = 8;
const PROFILE = "luso";
const PHASES = ["deal", "lead", "follow", "declare", "over"];

export const OPTIONS = { target: { default: 1000, values: [1000, 1500] } };

export const other = (seat) => (seat === "south" ? "north" : "south");
export const target = (p) => p.options.target ?? OPTIONS.target.default;

/** What every hand starts with, before its deal. */
export const freshHand = () => ({
  phase: "deal",
  turn: "chance",
  trump: null,
  turn_up: null,
  stock: [],
  hidden: { south: [], north: [] },
  table: { south: [], north: [] },
  led: null,
  won: { south: [], north: [] },
  scored: [],
  pending: [],
  declared: false,
  sevens: [],
  winner_of_last_trick: null,
  last_trick: null,
  revoked: [],
  barred: [],
});

export function start({ profile, options = {}, dealer }) {
  checkTable(profile, options);
  if (!SEATS.includes(dealer)) throw badRequest("dealer: expected a seat");
  return {
    profile,
    options,
    hand: 1,
    dealer,
    ...freshHand(),
    points: {
      south: { hand: 0, match: 0 },
      north: { hand: 0, match: 0 },
    },
    results: [],
    winner: null,
  };
}

function checkTable(profile, options) {
  if (typeof profile !== "string") throw badRequest("profile: expected a name");
  if (profile !== PROFILE) {
    throw new Refusal("unknown-profile", `${PROFILE} is played here, not ${profile}`);
  }
  for (const [name, value] of Object.entries(options)) {
    if (!OPTIONS[name]?.values.includes(value)) {
      throw new Refusal("bad-option", `${name}: ${value}`);
    }
  }
}

/** Refuses a position that is not built like one, or that cannot be. */
export function check(p) {
  if (p === null || typeof p !== "object") throw badRequest("position: none");
  checkTable(p.profile, p.options ?? {});
  checkShape(p);
  const zones = [p.stock, ...SEATS.flatMap((s) => [p.hidden[s], p.table[s], p.won[s]])];
  const cards = [...zones.flat(), p.turn_up, p.led].filter((card) => card !== null);
  const may = (holds, message) => {
    if (!holds) throw badPosition(message);
  };

  may(cards.every(isCard), "a card is not in the pack");
  may(new Set(cards).size === cards.length, "a card is in two places");
  may((p.winner !== null) === (p.phase === "over"), "a winner, and only, when over");
  for (const seat of SEATS) {
    const before = p.results.reduce((sum, result) => sum + result[seat], 0);
    const now = p.phase === "over" ? 0 : p.points[seat].hand;
    may(p.points[seat].match === before + now, `points of ${seat} do not add up`);
  }
  may(!p.declared || p.phase === "declare", "declared outside of declaring");
  may(p.sevens.every((card) => isTrumpSeven(card, p.trump)), "a plain seven scored");
  may(p.pending.length === 0, "nothing waits in this game");
  may(p.revoked.length + p.barred.length === 0, "there are no rulings in this game");

  if (p.phase === "deal") {
    may(p.turn === "chance" && cards.length === 0, "cards before the deal");
    return p;
  }
  may(p.phase === "over" ? p.turn === null : SEATS.includes(p.turn), "whose turn?");
  may(p.partial || cards.length === PACK.length, "cards are missing");
  may(p.trump !== null, "there are always trumps");
  may(p.turn_up === null || suit(p.turn_up) === p.trump, "the turn-up is no trump");
  const left = p.stock.length + (p.turn_up === null ? 0 : 1);
  may(left % 2 === 0, "an odd number of cards to draw");
  may(left === 0 || p.turn_up !== null || p.partial, "the turn-up is drawn last");
  may(left > 0 || SEATS.every((seat) => p.table[seat].length === 0), "shown too late");
  may((p.led !== null) === (p.phase === "follow"), "a card led, and only, to follow");
  if (p.phase === "over") return p;

  const size = (seat) => p.hidden[seat].length + p.table[seat].length;
  const owed = p.phase === "follow" ? 1 : 0; // the card led was in the leader's hand
  may(size(p.turn) === size(other(p.turn)) + owed, "unequal hands");
  if (left > 0 && !p.partial) {
    const full = p.phase === "declare" ? HAND_SIZE - 1 : HAND_SIZE;
    may(size(p.turn) === full, `hands of ${full} cards`);
  }
  if (p.phase === "declare") {
    may(left > 0, "nothing is declared once the stock is gone");
    may(p.winner_of_last_trick === p.turn, "only the winner declares");
  }
  for (const { seat, cards: shown } of p.scored) {
    const places = [...p.hidden[other(seat)], ...p.table[other(seat)], ...p.stock];
    may(!shown.some((card) => places.includes(card)), "a scored card went astray");
  }
  return p;
}

function checkShape(p) {
  const must = (holds, name) => {
    if (!holds) throw badRequest(`${name}: missing, or of another type`);
  };
  const texts = (list) =>
    Array.isArray(list) && list.every((item) => typeof item === "string");
  must(PHASES.includes(p.phase), "phase");
  must(Number.isInteger(p.hand), "hand");
  must(SEATS.includes(p.dealer), "dealer");
  must(typeof p.declared === "boolean", "declared");
  for (const name of ["stock", "sevens", "revoked", "barred"]) must(texts(p[name]), name);
  for (const name of ["scored", "pending", "results"]) must(Array.isArray(p[name]), name);
  for (const name of ["trump", "turn_up", "led", "winner", "turn"]) {
    must(p[name] === null || typeof p[name] === "string", name);
  }
  for (const seat of SEATS) {
    for (const name of ["hidden", "table", "won"]) must(texts(p[name]?.[seat]), name);
    must(Number.isInteger(p.points?.[seat]?.hand), "points");
    must(Number.isInteger(p.points[seat].match), "points");
    for (const result of p.results) must(Number.isInteger(result[seat]), "results");
  }
  for (const item of [...p.scored, ...p.pending]) {
    must(SEATS.includes(item.seat) && item.meld in MELDS && texts(item.cards), "scored");
  }
}
