// Moves: what is legal in a position, and what an action leads to.

import {
  PACK, beats, isBrisque, isCard, isTrumpSeven, rank, ranksAbove, suit,
} from "./cards.mjs";
import { badRequest, illegal } from "./errors.mjs";
import { MELDS, makes, setsIn, unspent } from "./melds.mjs";
import { HAND_SIZE, SEATS, freshHand, other, target } from "./position.mjs";

const SEVEN = 10;
const BRISQUE = 10;
const LAST_TRICK = 10;

const stockOpen = (p) => p.stock.length > 0 || p.turn_up !== null;
const hand = (p, seat) => [...p.hidden[seat], ...p.table[seat]];
const swappable = (p) => p.turn_up !== null && rank(p.turn_up) !== "7";

// --- what is legal ----------------------------------------------------------

/** The cards that the player to move may play. */
function playable(p) {
  const cards = hand(p, p.turn);
  if (p.phase === "lead" || stockOpen(p)) return cards;
  const follow = cards.filter((card) => suit(card) === suit(p.led));
  const higher = follow.filter((card) => ranksAbove(card, p.led));
  const trumps = cards.filter((card) => suit(card) === p.trump);
  return [higher, follow, trumps, cards].find((set) => set.length > 0);
}

function sevenRefused(p, card, exchange) {
  if (!hand(p, p.turn).includes(card)) return "not-in-hand";
  if (!isTrumpSeven(card, p.trump)) return "no-seven-of-trumps";
  if (exchange) return swappable(p) ? null : "nothing-to-exchange";
  return p.sevens.includes(card) ? "seven-has-scored" : null;
}

export function legal(p) {
  switch (p.phase) {
    case "lead":
    case "follow":
      return playable(p).map((card) => ({ do: "play", card }));
    case "declare": {
      const cards = hand(p, p.turn);
      const melds = p.declared
        ? []
        : Object.keys(MELDS).flatMap((meld) =>
            setsIn(cards, meld, p.trump)
              .filter((set) => unspent(set, meld, p.scored))
              .map((set) => ({ do: "declare", meld, cards: set })),
          );
      const sevens = cards.flatMap((card) =>
        [false, true]
          .filter((exchange) => sevenRefused(p, card, exchange) === null)
          .map((exchange) => ({ do: "seven", card, exchange })),
      );
      return [...melds, ...sevens, { do: "draw" }];
    }
    default:
      return []; // chance, or nobody any more
  }
}

// --- what an action leads to ------------------------------------------------

/** Returns the position after an action and its events; the one given stays. */
export function apply(before, action) {
  const p = structuredClone(before);
  const events = [];
  const pay = (seat, points, reason) => {
    if (points === 0) return;
    p.points[seat].hand += points;
    p.points[seat].match += points;
    events.push({ event: "points", seat, points, for: reason });
  };
  const step = STEPS[action.do];
  if (!step) throw badRequest(`do: expected an action, got ${action.do}`);
  step(p, action, pay);
  return { position: p, events };
}

const STEPS = {
  deal(p, action, pay) {
    if (p.phase !== "deal") throw illegal("deal-first", `no deal in ${p.phase}`);
    const { south, north, turn_up: turned, stock } = action;
    for (const cards of [south, north, stock]) {
      if (!Array.isArray(cards)) throw badRequest("deal: expected lists of cards");
    }
    if (turned === null) throw illegal("turn-up", "a card is turned up");
    const dealt = [...south, ...north, ...stock, turned];
    if (!dealt.every(isCard)) throw badRequest("deal: expected cards");
    if (dealt.length !== PACK.length || new Set(dealt).size !== PACK.length) {
      throw illegal("whole-pack", "a deal is the whole pack, each card once");
    }
    if (south.length !== HAND_SIZE || north.length !== HAND_SIZE) {
      throw illegal("hand-size", `hands of ${HAND_SIZE} cards`);
    }
    delete p.partial;
    p.hidden = { south: [...south], north: [...north] };
    p.stock = [...stock];
    p.turn_up = turned;
    p.trump = suit(turned);
    p.phase = "lead";
    p.turn = other(p.dealer);
    if (rank(turned) === "7") {
      p.sevens = [turned];
      pay(p.dealer, SEVEN, "turn-up-seven");
    }
  },

  play(p, action, pay) {
    const { card } = action;
    if (!isCard(card)) throw badRequest("card: expected a card");
    if (p.phase !== "lead" && p.phase !== "follow") {
      throw illegal("time-to-play", `no card is played in phase ${p.phase}`);
    }
    const me = p.turn;
    if (!hand(p, me).includes(card)) throw illegal("not-in-hand", card);
    if (!playable(p).includes(card)) {
      throw illegal("strict-trick", `${card} on ${p.led}, trumps ${p.trump}`);
    }
    take(p, me, card);
    if (p.phase === "lead") {
      p.led = card;
      p.last_trick = null;
      p.phase = "follow";
      p.turn = other(me);
      return;
    }
    const winner = beats(card, p.led, p.trump) ? me : other(me);
    const trick = [p.led, card];
    p.won[winner].push(...trick);
    p.last_trick = trick;
    p.led = null;
    p.winner_of_last_trick = winner;
    p.turn = winner;
    pay(winner, BRISQUE * trick.filter(isBrisque).length, "brisques");
    if (stockOpen(p)) {
      p.phase = "declare";
      p.declared = false;
    } else if (hand(p, winner).length > 0) {
      p.phase = "lead";
    } else {
      pay(winner, LAST_TRICK, "last-trick");
      endHand(p);
    }
  },

  declare(p, action, pay) {
    const { meld, cards } = action;
    if (!(meld in MELDS)) throw badRequest(`meld: no meld ${meld}`);
    if (!Array.isArray(cards) || !cards.every(isCard)) {
      throw badRequest("cards: expected cards");
    }
    const me = p.turn;
    if (p.phase !== "declare") throw illegal("time-to-declare", p.phase);
    if (p.declared) throw illegal("one-meld-a-trick", meld);
    if (!cards.every((card) => hand(p, me).includes(card))) {
      throw illegal("not-in-hand", cards.join(" "));
    }
    if (new Set(cards).size !== cards.length || !makes(cards, meld, p.trump)) {
      throw illegal("not-the-meld", `${cards.join(" ")} as ${meld}`);
    }
    if (!unspent(cards, meld, p.scored)) {
      throw illegal("card-is-spent", `${cards.join(" ")} as ${meld}`);
    }
    for (const card of cards) show(p, me, card);
    p.scored.push({ seat: me, meld, cards: [...cards] });
    p.declared = true;
    pay(me, MELDS[meld].points, meld);
  },

  announce(p) {
    throw illegal("no-announcements", `in phase ${p.phase} or any other`);
  },

  seven(p, action, pay) {
    const { card, exchange } = action;
    if (!isCard(card) || typeof exchange !== "boolean") {
      throw badRequest("seven: expected a card, and whether it is exchanged");
    }
    if (p.phase !== "declare") throw illegal("time-to-declare", p.phase);
    const me = p.turn;
    const refused = sevenRefused(p, card, exchange);
    if (refused) throw illegal(refused, card);
    if (exchange) {
      take(p, me, card);
      p.hidden[me].push(p.turn_up);
      p.turn_up = card;
    } else {
      show(p, me, card);
    }
    if (!p.sevens.includes(card)) {
      p.sevens.push(card);
      pay(me, SEVEN, "seven");
    }
  },

  claim(p) {
    throw illegal("no-claims", `in phase ${p.phase} or any other`);
  },

  draw(p) {
    if (p.phase !== "declare") throw illegal("time-to-draw", p.phase);
    const winner = p.turn;
    for (const seat of [winner, other(winner)]) {
      if (p.stock.length > 0) {
        p.hidden[seat].push(p.stock.shift());
      } else {
        p.hidden[seat].push(p.turn_up);
        p.turn_up = null;
      }
    }
    p.phase = "lead";
    p.declared = false;
    if (stockOpen(p)) return;
    for (const seat of SEATS) {
      p.hidden[seat].push(...p.table[seat]);
      p.table[seat] = [];
    }
    p.pending = [];
  },
};

/** Takes a card out of a hand, wherever it is there. */
function take(p, seat, card) {
  for (const zone of [p.hidden, p.table]) {
    zone[seat] = zone[seat].filter((item) => item !== card);
  }
}

function show(p, seat, card) {
  take(p, seat, card);
  p.table[seat].push(card);
}

function endHand(p) {
  const { south, north } = p.points;
  p.results.push({ south: south.hand, north: north.hand });
  if (south.match !== north.match && Math.max(south.match, north.match) >= target(p)) {
    p.phase = "over";
    p.turn = null;
    p.winner = south.match > north.match ? "south" : "north";
    return;
  }
  Object.assign(p, freshHand(), {
    hand: p.hand + 1,
    dealer: other(p.dealer),
    points: {
      south: { hand: 0, match: south.match },
      north: { hand: 0, match: north.match },
    },
  });
}
