import { edge } from '../lib/account.mjs';

const script = (/** @type {string} */ source, more = {}) => ({ type: 'SCRIPT', script: { source }, ...more });

/** Lines of the list that a run works on. */
export const LIST_LINES = 5;
export const LIST_PATH = 'bench/hosts.txt';
/** Subjobs of one run: one for the node that is distributed, one for each line, and one that gathers. */
export const SUBJOBS_PER_RUN = LIST_LINES + 2;

/** The list that each user uploads. */
export const list = () => Array.from({ length: LIST_LINES }, (_, index) => `host-${index}.example.org\n`).join('');

/**
 * A small workflow over a list: a step for each line, and one that gathers what they wrote.
 * @param {number} revision makes each saved version another one
 */
export const makeWorkflow = (revision) => ({
  primitiveNodes: { 'file-input-1': { type: 'FILE', label: 'hosts' } },
  nodes: {
    'check-1': script(`echo "checking $1" >&2\necho "host=$1 revision=${revision} time=$EPOCHREALTIME"`, {
      inputs: { host: { type: 'STRING', order: 1 } },
      distribution: { input: 'host', mode: 'line' },
    }),
    'all-1': script('cat in/check-1/*/output.txt | sort'),
  },
  connections: [edge('file-input-1/output', 'check-1/host'), edge('check-1/folder', 'all-1/folder')],
});
