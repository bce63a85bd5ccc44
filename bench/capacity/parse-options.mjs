import { join } from 'node:path';
import { parseArguments } from '../../scripts/lib/parse-arguments.mjs';
import { UserError } from '../../scripts/lib/report.mjs';

/** The defaults are the assumptions of docs/architecture/capacity.md. */
const NUMBERS = /** @type {const} */ ({
  subjobs: 1_000_000,
  users: 10_000,
  peak: 3,
  active: 0.1,
  children: 50,
  'chain-share': 0.2,
  'chain-steps': 5,
  'step-seconds': 5,
  slots: 8,
  seconds: 1_200,
  seed: 1,
});
const FILES = {
  costs: join(import.meta.dirname, 'measured', 'costs.json'),
  load: join(import.meta.dirname, 'measured', 'load.json'),
};
const SHARES = ['active', 'chain-share'];
const MAY_BE_ZERO = ['users', 'seed', ...SHARES];

export const USAGE = `npm run bench:capacity -- [options]   simulates the engine and its queues in the busiest hour of a day

  --subjobs <count>         subjobs a day; default: ${NUMBERS.subjobs}
  --users <count>           users; default: ${NUMBERS.users}
  --peak <factor>           the busiest hour, compared with the mean of the day; default: ${NUMBERS.peak}
  --active <share>          share of the users who work in that hour; default: ${NUMBERS.active}
  --children <count>        mean number of children of a distributed node; default: ${NUMBERS.children}
  --chain-share <share>     share of the subjobs that are steps of chains; default: ${NUMBERS['chain-share']}
  --chain-steps <count>     steps of a chain; default: ${NUMBERS['chain-steps']}
  --step-seconds <seconds>  mean duration of a step; default: ${NUMBERS['step-seconds']}
  --slots <count>           slots of each worker; default: ${NUMBERS.slots}
  --seconds <seconds>       simulated time; default: ${NUMBERS.seconds}
  --seed <number>           of the random numbers; default: ${NUMBERS.seed}
  --costs <file>            what \`npm run bench -- costs --save <file>\` has measured
  --load <file>             what \`npm run bench -- load --save <file>\` has measured
  --help                    show this`;

/**
 * @param {string[]} argv
 * @returns {{ help: boolean, files: typeof FILES, numbers: Record<keyof typeof NUMBERS, number> }}
 * @throws UserError if an option does not exist, or a number is out of its range
 */
export function parseOptions(argv) {
  const string = { type: /** @type {const} */ ('string') };
  const names = [...Object.keys(NUMBERS), ...Object.keys(FILES)];
  const help = { type: /** @type {const} */ ('boolean'), default: false };
  const options = { ...Object.fromEntries(names.map((name) => [name, string])), help };
  const { values } = parseArguments({ args: argv, options }, USAGE);
  const given = /** @type {Record<string, string | undefined>} */ (values);
  const numbers = Object.fromEntries(
    Object.entries(NUMBERS).map(([name, byDefault]) => [name, parseNumber(name, given[name], byDefault)]),
  );
  return {
    help: values.help === true,
    files: { costs: given.costs ?? FILES.costs, load: given.load ?? FILES.load },
    numbers: /** @type {Record<keyof typeof NUMBERS, number>} */ (numbers),
  };
}

/**
 * @param {string} name
 * @param {string | undefined} text
 * @param {number} byDefault
 */
function parseNumber(name, text, byDefault) {
  const value = text === undefined ? byDefault : Number(text);
  const isInRange = Number.isFinite(value) && value >= 0 && (value > 0 || MAY_BE_ZERO.includes(name));
  if (isInRange && (value <= 1 || !SHARES.includes(name))) return value;
  const range = SHARES.includes(name) ? 'from 0 to 1' : MAY_BE_ZERO.includes(name) ? 'of at least 0' : 'of more than 0';
  throw new UserError(`--${name} must be a number ${range} (got ${text}).\n\n${USAGE}`, 2);
}
