import { readFileSync } from 'node:fs';
import { runMain } from '../../scripts/lib/report.mjs';
import { renderLoad } from '../load/render-load.mjs';
import { totalOf } from '../load/summarize.mjs';
import { correctUnits } from './correct-units.mjs';
import { parseOptions, USAGE } from './parse-options.mjs';
import { describeLoad, renderFirstLimits, renderNeeds, renderUse } from './render-capacity.mjs';
import { renderCheck } from './render-check.mjs';
import { renderCosts } from './render-costs.mjs';

const SECONDS_PER_DAY = 86_400;

/** @param {string} file */
const readMeasured = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** @param {ReturnType<typeof parseOptions>} options */
function computeInput({ files, numbers }) {
  const costs = readMeasured(files.costs);
  /** @type {import('../load/summarize.mjs').LoadResult} */
  const measured = readMeasured(files.load);
  const requestsPerUser = totalOf(measured).perSecond / measured.setting.users;
  const load = {
    subjobsPerSecond: (numbers.subjobs / SECONDS_PER_DAY) * numbers.peak,
    requestsPerSecond: numbers.users * numbers.active * requestsPerUser,
    childrenPerFan: numbers.children,
    chainShare: numbers['chain-share'],
    stepsPerChain: numbers['chain-steps'],
    stepSeconds: numbers['step-seconds'],
    slotsPerWorker: numbers.slots,
  };
  const { subjobs: subjobsPerDay, peak, seconds, seed } = numbers;
  const units = correctUnits(costs.units, measured);
  return { costs, input: { load, units, measured, subjobsPerDay, peak, seconds, seed } };
}

await runMain(() => {
  const options = parseOptions(process.argv.slice(2));
  if (options.help) return Promise.resolve(console.log(USAGE));
  const { costs, input } = computeInput(options);
  const sections = [
    ['The load', describeLoad(input)],
    ['What each unit costs', renderCosts(costs)],
    ['The load test', renderLoad(input.measured)],
    ['The costs beside the load test', renderCheck(input.measured, costs.units)],
    ['Use at the peak', renderUse(input)],
    ['Which limit comes first', renderFirstLimits(input)],
    ['What this needs', renderNeeds(input)],
  ];
  console.log(sections.map(([title, text]) => `## ${title}\n\n${text}`).join('\n\n'));
  return Promise.resolve();
});
