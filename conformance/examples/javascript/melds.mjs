// Melds: which cards make one, what it scores, and when its cards are spent.
//
// A card may score in melds of different families.  Within a family it only goes
// upwards: never again at the same level or a lower one.

import { rank, suit } from "./cards.mjs";

const COURT = "court";
const BEZIQUE = "bezique";

export const MELDS = {
  marriage: { family: COURT, level: 1, points: 20 },
  "royal-marriage": { family: COURT, level: 1, points: 40 },
  sequence: { family: COURT, level: 2, points: 250 },
  bezique: { family: BEZIQUE, level: 1, points: 40 },
  "double-bezique": { family: BEZIQUE, level: 2, points: 500 },
  "four-aces": { family: "aces", level: 1, points: 100 },
  "four-kings": { family: "kings", level: 1, points: 80 },
  "four-queens": { family: "queens", level: 1, points: 60 },
  "four-jacks": { family: "jacks", level: 1, points: 40 },
};

const FOURS = {
  "four-aces": "A",
  "four-kings": "K",
  "four-queens": "Q",
  "four-jacks": "J",
};

/** What a meld is made of: groups of [how many, which cards]. */
function groups(name, trump) {
  const face = (r, s) => (card) => rank(card) === r && suit(card) === s;
  const plain = [..."SHCD"].filter((s) => s !== trump);
  const pair = (s) => [[1, face("K", s)], [1, face("Q", s)]];
  switch (name) {
    case "marriage":
      return plain.map(pair);
    case "royal-marriage":
      return trump ? [pair(trump)] : [];
    case "sequence":
      return trump ? [[..."AKQJT"].map((r) => [1, face(r, trump)])] : [];
    case "bezique":
      return [[[1, face("Q", "S")], [1, face("J", "D")]]];
    case "double-bezique":
      return [[[2, face("Q", "S")], [2, face("J", "D")]]];
    default:
      return [[[4, (card) => rank(card) === FOURS[name]]]];
  }
}

/** Every way to take `count` of some cards. */
function choices(cards, count) {
  if (count === 0) return [[]];
  return cards.flatMap((card, at) =>
    choices(cards.slice(at + 1), count - 1).map((rest) => [card, ...rest]),
  );
}

/** Every set of physical cards among `hand` that makes a meld of a name. */
export function setsIn(hand, name, trump) {
  return groups(name, trump).flatMap((parts) =>
    parts.reduce(
      (sets, [count, wanted]) =>
        sets.flatMap((set) =>
          choices(hand.filter(wanted), count).map((more) => [...set, ...more]),
        ),
      [[]],
    ),
  );
}

export const makes = (cards, name, trump) =>
  setsIn(cards, name, trump).some((set) => set.length === cards.length);

/** Whether the cards of a meld may still score in it, given what has scored. */
export function unspent(cards, name, scored) {
  const { family, level } = MELDS[name];
  const before = scored.filter((item) => MELDS[item.meld].family === family);
  return cards.every((card) =>
    before.every(
      (item) =>
        !item.cards.includes(card) ||
        // A double bezique takes no card that has scored in a bezique at all.
        (family === COURT && MELDS[item.meld].level < level),
    ),
  );
}
