import { randomUUID } from 'node:crypto';
import { createWorkflow } from './lib/account.mjs';
import { loadUrl } from './lib/load-url.mjs';
import { median } from './lib/measure.mjs';
import { startGateway } from './lib/start-gateway.mjs';

const ACCOUNTS = 50;
/** Number of wrong passwords, and of unknown emails. An account accepts five failures before its limit. */
const ATTEMPTS = 200;
/** Two standard errors of the share of pairs in which the first is slower, if both take equally long. */
const MAX_DEVIATION = 0.058;
const SIGN_INS = 20;
const CONNECTIONS = 10;
const SECONDS = 4;
const ROUNDS = 5;
const GOAL_MS = 50;

/** @typedef {{ email: string, password: string }} Credentials */

/**
 * Measures whether the duration of a failed sign-in reveals that the account exists, and how much sign-ins slow down
 * other requests.
 * @param {import('./run.mjs').BenchContext} bench
 * @returns {Promise<import('./run.mjs').Result[]>}
 */
export async function benchSignIn({ system, account, note }) {
  // Each attempt has an address of its own, because attempts per address are limited.
  const gateway = await startGateway(system, { env: { TRUST_PROXY: 'loopback', RATE_LIMIT_PER_MINUTE: '0' } });
  try {
    const accounts = await Promise.all(Array.from({ length: ACCOUNTS }, () => signUp(gateway.url)));
    const failures = await compareFailures(gateway.url, accounts, note);
    const workflow = await createWorkflow(account, 'GET', { nodes: {} });
    const url = `${gateway.url}/api/workflows/${workflow}`;
    return [failures, await compareLoads(url, gateway.url, { token: account.token, accounts, note })];
  } finally {
    await gateway.stop();
  }
}

/**
 * @param {string} url
 * @param {Credentials[]} accounts
 * @param {(line: string) => void} note
 * @returns {Promise<import('./run.mjs').Result>}
 */
async function compareFailures(url, accounts, note) {
  const failSignIn = async (/** @type {string} */ email) => {
    const startedAt = performance.now();
    const status = await signIn(url, { email, password: 'not the password' });
    if (status !== 400) throw new Error(`Expected status 400 for a failed sign-in, got ${status}`);
    return performance.now() - startedAt;
  };
  const wrongPassword = () => failSignIn(accounts[wrong.length % accounts.length]?.email ?? '');
  const unknownEmail = () => failSignIn(`bench-${randomUUID()}@example.org`);
  /** @type {number[]} */
  const wrong = [];
  /** @type {number[]} */
  const unknown = [];
  for (let warmUp = 0; warmUp < 20; warmUp += 1) await unknownEmail();
  while (wrong.length < ATTEMPTS) {
    // The order is random, because the first request of a pair may affect the second.
    if (Math.random() < 0.5) {
      wrong.push(await wrongPassword());
      unknown.push(await unknownEmail());
    } else {
      unknown.push(await unknownEmail());
      wrong.push(await wrongPassword());
    }
  }
  const share = slowerShare(wrong, unknown);
  note(`the wrong password was slower than the unknown email in ${(share * 100).toFixed(1)} % of all pairs`);
  return {
    workload: `Sign-in: ${ATTEMPTS} wrong passwords, ${ATTEMPTS} unknown emails; share of pairs in which the former is slower`,
    isolation: '',
    ours: formatTimes(wrong),
    floor: `${formatTimes(unknown)} (unknown email)`,
    ratio: share,
    goal: `0.50 ± ${MAX_DEVIATION}`,
    met: Math.abs(share - 0.5) <= MAX_DEVIATION,
  };
}

/**
 * @param {string} url
 * @param {string} base
 * @param {{ token: string, accounts: Credentials[], note: (line: string) => void }} options
 * @returns {Promise<import('./run.mjs').Result>}
 */
async function compareLoads(url, base, { token, accounts, note }) {
  const load = async () => (await loadUrl(url, { tokens: [token], seconds: SECONDS, connections: CONNECTIONS })).p99;
  /** @type {number[]} */
  const quiet = [];
  /** @type {number[]} */
  const busy = [];
  let signedIn = 0;
  await load();
  for (let round = 1; round <= ROUNDS; round += 1) {
    quiet.push(await load());
    let isRunning = true;
    const signIns = accounts.slice(0, SIGN_INS).map(async (credentials) => {
      while (isRunning) {
        const status = await signIn(base, credentials);
        if (status !== 200) throw new Error(`Expected status 200 for a sign-in, got ${status}`);
        signedIn += 1;
      }
    });
    busy.push(await load());
    isRunning = false;
    await Promise.all(signIns);
    note(`round ${round} of ${ROUNDS}: p99 ${busy.at(-1)?.toFixed(1)} ms (floor ${quiet.at(-1)?.toFixed(1)} ms)`);
  }
  const [ours, floor] = [median(busy), median(quiet)];
  return {
    workload: `p99 of a GET, ${CONNECTIONS} connections, while ${SIGN_INS} sign-ins run (${Math.round(signedIn / ROUNDS / SECONDS)} a second)`,
    isolation: '',
    ours: `${ours.toFixed(1)} ms`,
    floor: `${floor.toFixed(1)} ms (no sign-ins)`,
    ratio: ours / floor,
    goal: `less than ${GOAL_MS} ms above the floor`,
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
  const credentials = { email: `bench-${randomUUID()}@example.org`, password: randomUUID() };
  const response = await post(`${url}/api/auth/signup`, { ...credentials, name: 'Bench' });
  await response.body?.cancel();
  if (response.status !== 201) throw new Error(`Expected status 201 for a sign-up, got ${response.status}`);
  return credentials;
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
 * The common-language effect size (Vargha and Delaney, 2000): 0.5 if two distributions are indistinguishable.
 * @param {number[]} first
 * @param {number[]} second
 * @returns {number} share of all pairs in which the value of `first` is larger
 */
function slowerShare(first, second) {
  const wins = first.flatMap((a) => second.map((b) => (a > b ? 1 : a === b ? 0.5 : 0)));
  return wins.reduce((/** @type {number} */ sum, win) => sum + win, 0) / wins.length;
}

/** @param {number[]} times */
function formatTimes(times) {
  const sorted = times.toSorted((a, b) => a - b);
  const percentile = (/** @type {number} */ share) => (sorted[Math.floor(sorted.length * share)] ?? NaN).toFixed(1);
  return `median ${percentile(0.5)} ms, p90 ${percentile(0.9)} ms`;
}
