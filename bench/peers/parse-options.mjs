import { parseArguments } from '../../scripts/lib/parse-arguments.mjs';
import { UserError } from '../../scripts/lib/report.mjs';

const DEFAULT_ROUNDS = 5;

/**
 * @typedef {object} Options
 * @property {boolean} help
 * @property {string[]} systems
 * @property {string[]} workloads
 * @property {number} rounds
 * @property {number} scale
 * @property {string | undefined} save
 *
 * @typedef {{ systems: Record<string, { onRequest?: boolean }>, workloads: { name: string }[] }} Known
 */

/**
 * @param {Known} known
 * @returns {string}
 */
export const renderUsage = ({
  systems,
  workloads,
}) => `npm run bench:peers -- [options]   measures Millrace beside other systems

  --only <systems>        some of ${Object.keys(systems).join(', ')};
                          default: all except ${listNames(systems, true).join(', ')}. The floor is always measured
  --workloads <names>     some of ${workloads.map(({ name }) => name).join(', ')}; default: all
  --rounds <count>        measurements of each workload, an odd number; default: ${DEFAULT_ROUNDS}
  --scale <factor>        multiplies the number of runs of workloads that have many; default: 1
  --save <file>           write all measured values to a file, as JSON
  --help                  show this

Names are separated by commas.`;

/**
 * @param {string[]} argv
 * @param {Known} known
 * @returns {Options}
 * @throws UserError if an option or a name does not exist
 */
export function parseOptions(argv, known) {
  const usage = renderUsage(known);
  const string = { type: /** @type {const} */ ('string') };
  const help = { type: /** @type {const} */ ('boolean'), default: false };
  const options = { only: string, workloads: string, rounds: string, scale: string, save: string, help };
  const { values } = parseArguments({ args: argv, options }, usage);
  const rounds = Number(values.rounds ?? DEFAULT_ROUNDS);
  if (!Number.isInteger(rounds) || rounds < 1 || rounds % 2 === 0)
    throw new UserError(`--rounds must be an odd number of at least 1 (got ${values.rounds}).\n\n${usage}`, 2);
  const scale = Number(values.scale ?? 1);
  if (!(scale > 0))
    throw new UserError(`--scale must be a number of more than 0 (got ${values.scale}).\n\n${usage}`, 2);
  const systems = chooseNames('--only', values.only, Object.keys(known.systems), usage);
  const workloads = chooseNames(
    '--workloads',
    values.workloads,
    known.workloads.map(({ name }) => name),
    usage,
  );
  return {
    ...{ help: values.help === true, rounds, scale, save: values.save },
    systems: ['floor', ...(systems ?? listNames(known.systems, false)).filter((name) => name !== 'floor')],
    workloads: workloads ?? known.workloads.map(({ name }) => name),
  };
}

/**
 * @param {string} option
 * @param {string | undefined} text
 * @param {string[]} names
 * @param {string} usage
 * @returns {string[] | undefined} in the order of `names`; undefined without the option
 */
function chooseNames(option, text, names, usage) {
  if (text === undefined) return undefined;
  const chosen = text.split(',').map((name) => name.trim());
  const unknown = chosen.filter((name) => !names.includes(name));
  if (unknown.length > 0)
    throw new UserError(`${option} accepts ${names.join(', ')} (got ${unknown.join(', ')}).\n\n${usage}`, 2);
  return names.filter((name) => chosen.includes(name));
}

/**
 * @param {Known['systems']} systems
 * @param {boolean} onRequest
 */
const listNames = (systems, onRequest) =>
  Object.keys(systems).filter((name) => (systems[name]?.onRequest ?? false) === onRequest);
