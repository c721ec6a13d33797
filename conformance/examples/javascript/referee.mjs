#!/usr/bin/env node
// A referee of Portuguese bezique (`luso`) that speaks the referee protocol:
// one request and one reply a line, nothing kept in between.
//
//     node referee.mjs

import { createInterface } from "node:readline";
import { badRequest } from "./errors.mjs";
import { apply, legal } from "./moves.mjs";
import { OPTIONS, check, start } from "./position.mjs";

const OPERATIONS = {
  hello: () => ({
    protocol: 1,
    implementation: "bezique-in-javascript",
    version: "1.0.0",
    profiles: { luso: { options: OPTIONS } },
    capabilities: [],
  }),

  start: (request) => ({ position: start(request) }),

  legal: ({ position }) => ({ actions: legal(check(position)) }),

  apply: ({ position, action }) => apply(check(position), written(action)),

  play(request) {
    if (!Array.isArray(request.actions)) throw badRequest("actions: expected a list");
    let position = start(request);
    const steps = request.actions.map((action, step) => {
      const count = legal(position).length;
      try {
        const after = apply(position, written(action));
        position = after.position;
        return { legal: count, events: after.events };
      } catch (error) {
        throw Object.assign(error, { step });
      }
    });
    return { position, steps };
  },
};

function written(action) {
  if (action === null || typeof action !== "object") {
    throw badRequest("action: expected an object");
  }
  return action;
}

function answer(request) {
  const operation = Object.hasOwn(OPERATIONS, request?.op) && OPERATIONS[request.op];
  if (!operation) throw badRequest(`op: no operation ${request?.op}`);
  return operation(request);
}

function reply(line) {
  let id;
  try {
    const request = JSON.parse(line);
    id = request?.id;
    if (request?.op === "quit") return null;
    return { id, ok: answer(request) };
  } catch (error) {
    // Whatever else goes wrong here is met by a request that is built otherwise.
    const { code = "bad-request", clause, step, message } = error;
    return { id, error: { code, clause, step, message } };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const told = reply(line);
  if (told === null) break;
  process.stdout.write(`${JSON.stringify(told)}\n`);
}
process.stdin.destroy();
