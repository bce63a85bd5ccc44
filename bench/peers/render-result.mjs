import { median } from '../lib/measure.mjs';
import { renderMarkdown } from '../lib/render-markdown.mjs';

/**
 * What `npm run bench:peers` has measured.
 * @typedef {object} PeersResult
 * @property {import('../lib/describe-machine.mjs').Machine & { fileSystem: string }} machine
 * @property {number} rounds
 * @property {number} otherProcessors processors that other programs kept busy before the measurement
 * @property {number} idleProcessors processors that all systems together keep busy while they wait for work
 * @property {{ name: string, label: string, version?: string }[]} systems
 * @property {import('./measure-boots.mjs').Boot[]} boots
 * @property {import('./measure-workload.mjs').Sample[]} samples
 * @property {import('./measure-workload.mjs').Failure[]} failures
 */

const NONE = '–';
const FAILED = 'failed';

/**
 * @param {PeersResult} result
 * @param {import('./workloads.mjs').Workload[]} workloads
 * @returns {string} a Markdown table: a row for each system, medians with the ratio to the floor
 */
export function renderTable({ systems, boots, samples, failures }, workloads) {
  const shown = workloads.filter(({ name }) => samples.some(({ workload }) => workload === name));
  const head = ['', ...shown.map(({ title }) => title), 'Boot, s', 'Memory, MB'];
  const rows = systems.map(({ name, label, version }) => {
    const boot = boots.find(({ system }) => system === name);
    return [
      version ? `${label} ${version}` : label,
      ...shown.map((workload) =>
        failures.some((failure) => failure.workload === workload.name && failure.system === name)
          ? FAILED
          : renderValue(samples, workload, name),
      ),
      boot ? boot.seconds.toFixed(1) : NONE,
      boot ? String(Math.round(boot.memoryMib)) : NONE,
    ];
  });
  return renderMarkdown(head, rows);
}

/**
 * @param {import('./measure-workload.mjs').Sample[]} samples
 * @param {import('./workloads.mjs').Workload} workload
 * @param {string} system
 */
function renderValue(samples, workload, system) {
  const value = computeMedian(samples, workload, system);
  const floor = computeMedian(samples, workload, 'floor');
  if (value === undefined) return NONE;
  const text = value.toFixed(workload.digits);
  return floor === undefined || system === 'floor' ? text : `${text} (${(value / floor).toFixed(2)})`;
}

/**
 * @param {import('./measure-workload.mjs').Sample[]} samples
 * @param {import('./workloads.mjs').Workload} workload
 * @param {string} system
 * @returns {number | undefined} without the warm-up; undefined if the system was not measured
 */
export function computeMedian(samples, { name, toValue }, system) {
  const values = samples
    .filter((sample) => sample.workload === name && sample.system === system && sample.round > 0)
    .map(({ seconds, runs }) => toValue(seconds, runs));
  return values.length === 0 ? undefined : median(values);
}

/**
 * @param {PeersResult} result
 * @returns {string} when and where it was measured
 */
export function describeResult({ machine, rounds, otherProcessors }) {
  const { date, commit, node, processors, memoryGib, fileSystem } = machine;
  const where = `${processors}, ${memoryGib} GiB, data on ${fileSystem}, Node.js ${node}, commit ${commit}`;
  const busy = otherProcessors >= 0.05 ? ` Other programs kept ${otherProcessors.toFixed(1)} processors busy.` : '';
  return `Measured on ${date}: ${where}, medians of ${rounds}.${busy}`;
}
