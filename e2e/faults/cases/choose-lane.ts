import { shuffle } from '../../support/choose-cases.js';
import { isServer, type FaultCase, type ProcessName } from './fault-case.js';
import { listCases } from './list-cases.js';

/** Every edge passes through one of them. */
const isCore = (process: ProcessName): boolean => isServer(process) || process === 'runs' || process === 'worker';

/** Cases that take about as long as those of the other lanes. Each lane has a system of its own. */
export const LANES = {
  kills: ({ fault }: FaultCase) => ['kill', 'flush-redis', 'remove-jetstream', 'clock'].includes(fault.kind),
  'stops-of-core': ({ fault }: FaultCase) => fault.kind === 'stop' && isCore(fault.process),
  'stops-of-others': ({ fault }: FaultCase) => fault.kind === 'stop' && !isCore(fault.process),
  others: ({ fault }: FaultCase) => ['restart', 'cut-off', 'reports', 'full-disk'].includes(fault.kind),
};

/** The cases of a lane in the order of the seed, and whether `npm run test:faults` has chosen each. */
export function chooseLane(lane: keyof typeof LANES): { cases: FaultCase[]; isChosen: (one: FaultCase) => boolean } {
  const { TEST_FAULT_CASES = '', TEST_FAULT_SEED = '1' } = process.env;
  const starts = TEST_FAULT_CASES.split(',').filter(Boolean);
  const isNamed = ({ name }: FaultCase) => starts.length === 0 || starts.some((start) => name.startsWith(start));
  const cases = shuffle(listCases().filter(LANES[lane]), TEST_FAULT_SEED);
  return { cases, isChosen: isNamed };
}
