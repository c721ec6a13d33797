#!/usr/bin/env node
// Judges a referee by the exported suite.  Needs the export and the referee, nothing else.
//
//     bezique conformance export suite
//     node judge.mjs suite luso 2 node referee.mjs

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const SETS = ["hidden", "table", "won", "sevens", "taken", "late", "revoked", "barred", "cards"];

const [folder, profile, level, command, ...rest] = process.argv.slice(2);
const checks = JSON.parse(readFileSync(`${folder}/cases/${profile}.json`, "utf8"));
const referee = spawn(command, rest, { stdio: ["pipe", "pipe", "inherit"] });
const replies = createInterface({ input: referee.stdout })[Symbol.asyncIterator]();

async function ask(request) {
  referee.stdin.write(`${JSON.stringify(request)}\n`);
  const { value, done } = await replies.next();
  if (done) throw new Error("the referee has ended");
  return JSON.parse(value);
}

/** A value as a text in which the order of sets and of members is gone. */
function text(value, isSet = false) {
  if (Array.isArray(value)) {
    const items = value.map((item) => text(item));
    return `[${isSet ? items.sort() : items}]`;
  }
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const members = Object.keys(value).sort();
  const inner = (name) => text(value[name], isSet || SETS.includes(name));
  return `{${members.map((name) => `${name}:${inner(name)}`)}}`;
}

const equal = (one, two, name = "") =>
  text(one, SETS.includes(name)) === text(two, SETS.includes(name));

const fits = (action, pattern) =>
  Object.keys(pattern).every((name) => equal(action[name], pattern[name], name));

function* partsDiffer(part, position, set = "") {
  for (const [name, expected] of Object.entries(part)) {
    const of = SETS.includes(name) ? name : set;
    // A memory that a table has not is an empty one.
    const there = position?.[name] ?? (SETS.includes(name) && Array.isArray(expected) ? [] : null);
    const got = name === "stock_size" ? position.stock.length : there;
    if (expected !== null && typeof expected === "object" && !Array.isArray(expected)) {
      yield* partsDiffer(expected, got, of);
    } else if (!equal(got, expected, of)) {
      yield `${name}: expected ${text(expected)}, got ${text(got)}`;
    }
  }
}

const points = (events) =>
  events
    .filter(({ event }) => event === "points")
    .map(({ seat, points: number, for: reason }) => ({ seat, points: number, for: reason }));

async function ways(position, depth) {
  const { actions } = (await ask({ op: "legal", position })).ok;
  if (depth === 1) return actions.length;
  let sum = 0;
  for (const action of actions) {
    const after = await ask({ op: "apply", position, action });
    sum += await ways(after.ok.position, depth - 1);
  }
  return sum;
}

function* stepDiffers(expect, reply, position) {
  const { ok, error } = reply;
  if ("error" in expect && error?.code !== expect.error) {
    yield `expected error ${expect.error}, got ${JSON.stringify(reply)}`;
  } else if ("refused" in expect) {
    if (!["illegal-action", "bad-request"].includes(error?.code)) {
      yield `expected a refusal, got ${JSON.stringify(reply)}`;
    }
  } else if (!("error" in expect) && !ok) {
    yield `expected no error, got ${JSON.stringify(error)}`;
    return;
  }
  if ("step" in expect && error?.step !== expect.step) {
    yield `expected step ${expect.step}, got ${error?.step}`;
  }
  const { includes = [], excludes = [], exactly } = expect.actions ?? {};
  for (const pattern of [...includes, ...(exactly ?? [])]) {
    if (!ok.actions.some((action) => fits(action, pattern))) {
      yield `none is ${text(pattern)}`;
    }
  }
  for (const action of expect.actions ? ok.actions : []) {
    const unwanted =
      excludes.some((pattern) => fits(action, pattern)) ||
      (exactly && !exactly.some((pattern) => fits(action, pattern)));
    if (unwanted) yield `legal is ${text(action)}`;
  }
  if (expect.points && !equal(points(ok.events), expect.points)) {
    yield `expected ${text(expect.points)}, got ${text(points(ok.events))}`;
  }
  if (expect.points_of_steps) {
    const got = ok.steps.map(({ events }) => points(events));
    if (!equal(got, expect.points_of_steps)) {
      yield `expected ${text(expect.points_of_steps)}, got ${text(got)}`;
    }
  }
  if (expect.position) yield* partsDiffer(expect.position, position);
  for (const event of expect.seen_last ?? []) {
    if (!ok.steps.at(-1).seen.some((seen) => fits(seen, event))) {
      yield `not seen: ${text(event)}`;
    }
  }
  if ("margin" in expect && ok.margin !== expect.margin) {
    yield `expected margin ${expect.margin}, got ${ok.margin}`;
  }
  if (expect.line && !equal(ok.line, expect.line)) {
    yield `expected line ${expect.line}, got ${ok.line}`;
  }
}

async function judge({ steps }) {
  const differs = [];
  let position;
  for (const { ask: request, expect } of steps) {
    position = request.position ?? position;
    const sent = request.op === "apply" ? { ...request, position } : request;
    if (expect.ways) {
      const number = await ways(position, expect.ways.depth);
      if (number !== expect.ways.number) differs.push(`${number} ways`);
      continue;
    }
    const reply = await ask(sent);
    position = reply.ok?.position ?? position;
    differs.push(...stepDiffers(expect, reply, position));
  }
  return differs;
}

let passed = 0;
let failed = 0;
for (const check of checks.filter((item) => item.level <= Number(level))) {
  const differs = await judge(check);
  if (differs.length === 0) {
    passed += 1;
  } else {
    failed += 1;
    console.log(`${check.id}: ${check.why}`);
    for (const problem of differs) console.log(`    ${problem}`);
  }
}
referee.stdin.end('{"op":"quit"}\n');
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
