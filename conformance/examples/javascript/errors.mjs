// Errors: what a referee refuses, with the code of the protocol.

export class Refusal extends Error {
  constructor(code, message, clause) {
    super(message);
    this.code = code;
    this.clause = clause;
  }
}

export const illegal = (clause, message) =>
  new Refusal("illegal-action", message, clause);
export const badRequest = (message) => new Refusal("bad-request", message);
export const badPosition = (message) => new Refusal("bad-position", message);
