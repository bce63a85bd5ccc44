import { randomUUID } from 'node:crypto';
import { makeWorkflow } from './lib/account.mjs';
import { loadUrl } from './lib/load-url.mjs';
import { median } from './lib/measure.mjs';
import { startGateway } from './lib/start-gateway.mjs';

const ACCOUNTS = 50;
/** Of each kind; an account takes five failures before the limit. */
const TRIES = 200;
/** How often one of two equal things is the slower one, give or take two standard errors of that many pairs. */
const TELLING = 0.058;
const SIGN_INS = 20;
const CONNECTIONS = 10;
const SECONDS = 4;
const TIMES = 5;
const GOAL_MS = 50;

/** @typedef {{ email: string, password: string }} Credentials */

/**
 * What a sign-in gives away by its time, and what it costs others.
 * @param {import('./run.mjs').Bench} bench
 * @returns {Promise<import('./run.mjs').Result[]>}
 */
export async function benchSignIn({ system, account, note }) {
  // Each try from an address of its own, past the limit for one address.
  const gateway = await startGateway(system, { env: { TRUST_PROXY: 'loopback', RATE_LIMIT_PER_MINUTE: '0' } });
  try {
    const people = await Promise.all(Array.from({ length: ACCOUNTS }, () => signUp(gateway.url)));
    const guesses = await compareGuesses(gateway.url, people, note);
    const workflow = await makeWorkflow(account, 'GET', { nodes: {} });
    const url = `${gateway.url}/api/workflows/${workflow}`;
    return [guesses, await compareLoads(url, gateway.url, { token: account.token, people, note })];
  } finally {
    await gateway.stop();
  }
}

/**
 * @param {string} url
 * @param {Credentials[]} people
 * @param {(line: string) => void} note
 * @returns {Promise<import('./run.mjs').Result>}
 */
async function compareGuesses(url, people, note) {
  const guess = async (/** @type {string} */ email) => {
    const began = performance.now();
    const status = await signIn(url, { email, password: 'not the password' });
    if (status !== 400) throw new Error(`A wrong guess was answered with ${status}`);
    return performance.now() - began;
  };
  const wrongPassword = () => guess(people[wrong.length % people.length]?.email ?? '');
  const unknownEmail = () => guess(`bench-${randomUUID()}@example.org`);
  /** @type {number[]} */
  const wrong = [];
  /** @type {number[]} */
  const unknown = [];
  for (let warm = 0; warm < 20; warm += 1) await unknownEmail();
  while (wrong.length < TRIES) {
    // Which comes first is left to chance, for whatever follows the other.
    if (Math.random() < 0.5) {
      wrong.push(await wrongPassword());
      unknown.push(await unknownEmail());
    } else {
      unknown.push(await unknownEmail());
      wrong.push(await wrongPassword());
    }
  }
  const share = slowerShare(wrong, unknown);
  note(`a wrong password was the slower one in ${(share * 100).toFixed(1)} % of all pairs`);
  return {
    workload: `Sign-in: ${TRIES} wrong passwords beside ${TRIES} unknown emails; how often the first is slower`,
    isolation: '',
    ours: describe(wrong),
    floor: `${describe(unknown)} (unknown email)`,
    ratio: share,
    goal: `0.50 ± ${TELLING}`,
    met: Math.abs(share - 0.5) <= TELLING,
  };
}

/**
 * @param {string} url
 * @param {string} base
 * @param {{ token: string, people: Credentials[], note: (line: string) => void }} options
 * @returns {Promise<import('./run.mjs').Result>}
 */
async function compareLoads(url, base, { token, people, note }) {
  const load = async () => (await loadUrl(url, { tokens: [token], seconds: SECONDS, connections: CONNECTIONS })).p99;
  /** @type {number[]} */
  const quiet = [];
  /** @type {number[]} */
  const busy = [];
  let signedIn = 0;
  await load();
  for (let time = 1; time <= TIMES; time += 1) {
    quiet.push(await load());
    let going = true;
    const work = people.slice(0, SIGN_INS).map(async (person) => {
      while (going) {
        const status = await signIn(base, person);
        if (status !== 200) throw new Error(`A sign-in was answered with ${status}`);
        signedIn += 1;
      }
    });
    busy.push(await load());
    going = false;
    await Promise.all(work);
    note(`${time} of ${TIMES}: p99 ${busy.at(-1)?.toFixed(1)} ms beside ${quiet.at(-1)?.toFixed(1)} ms`);
  }
  const [ours, floor] = [median(busy), median(quiet)];
  return {
    workload: `p99 of a GET, ${CONNECTIONS} connections, while ${SIGN_INS} sign-ins run (${Math.round(signedIn / TIMES / SECONDS)} a second)`,
    isolation: '',
    ours: `${ours.toFixed(1)} ms`,
    floor: `${floor.toFixed(1)} ms (none runs)`,
    ratio: ours / floor,
    goal: `under ${GOAL_MS} ms more`,
    met: ours - floor < GOAL_MS,
  };
}

/**
 * @param {string} url
 * @param {Credentials} body
 * @returns {Promise<number>} status
 */
async function signIn(url, body) {
  const response = await post(`${url}/api/auth/login`, body);
  await response.body?.cancel();
  return response.status;
}

/**
 * @param {string} url
 * @returns {Promise<Credentials>}
 */
async function signUp(url) {
  const person = { email: `bench-${randomUUID()}@example.org`, password: randomUUID() };
  const response = await post(`${url}/api/auth/signup`, { ...person, name: 'Bench' });
  await response.body?.cancel();
  if (response.status !== 201) throw new Error(`A sign-up was answered with ${response.status}`);
  return person;
}

/**
 * @param {string} url
 * @param {object} body
 */
function post(url, body) {
  const address = `10.${[0, 0, 0].map(() => Math.floor(Math.random() * 256)).join('.')}`;
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': address };
  return fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
}

/**
 * The common-language effect size (Vargha and Delaney, 2000): 0.5 where two distributions cannot be told apart.
 * @param {number[]} ours
 * @param {number[]} others
 * @returns {number} share of all pairs in which ours is the larger one
 */
function slowerShare(ours, others) {
  const wins = ours.flatMap((one) => others.map((other) => (one > other ? 1 : one === other ? 0.5 : 0)));
  return wins.reduce((/** @type {number} */ sum, win) => sum + win, 0) / wins.length;
}

/** @param {number[]} times */
function describe(times) {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (/** @type {number} */ share) => (sorted[Math.floor(sorted.length * share)] ?? NaN).toFixed(1);
  return `median ${at(0.5)} ms, p90 ${at(0.9)} ms`;
}
