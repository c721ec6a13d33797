// Cards: a card is a text such as "QS1": its rank, its suit, which copy.

export const RANKS = "AKQJT987"; // the strongest first
export const SUITS = "SHCD";
export const COPIES = "12";

export const rank = (card) => card[0];
export const suit = (card) => card[1];

export const PACK = [...RANKS].flatMap((r) =>
  [...SUITS].flatMap((s) => [...COPIES].map((copy) => r + s + copy)),
);

const KNOWN = new Set(PACK);

export const isCard = (value) => typeof value === "string" && KNOWN.has(value);

/** Whether a card ranks above another; two copies of one card rank alike. */
export const ranksAbove = (card, other) =>
  RANKS.indexOf(rank(card)) < RANKS.indexOf(rank(other));

/** Whether `card`, played second, takes the trick from `led`. */
export function beats(card, led, trump) {
  if (suit(card) === suit(led)) return ranksAbove(card, led);
  return suit(card) === trump;
}

export const isBrisque = (card) => "AT".includes(rank(card));
export const isTrumpSeven = (card, trump) =>
  rank(card) === "7" && suit(card) === trump;
