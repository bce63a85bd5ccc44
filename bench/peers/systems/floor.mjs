import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runShell } from '../../lib/run-shell.mjs';
import { CHAINS, GATHER, SORT, SPLIT } from '../apps/steps.mjs';
import { readOutput } from './read-output.mjs';

/** The same commands as a Makefile; make runs its recipes with `/bin/sh -c` as well. */
const MAKEFILE = `${(CHAINS.w2 ?? [])
  .map((command, index) => `${index + 1}: ${index}\n\t${command}\n`)
  .reverse()
  .join('')}.SUFFIXES:\nMAKEFLAGS += -r\n`;

const SCRIPTS = /** @type {Record<string, string>} */ ({
  w2c1: CHAINS.w2?.join('\n'),
  w3: `${SPLIT} && ls parts | xargs -P2 -I{} ${SORT('{}')} && ${GATHER}`,
  w4: CHAINS.w4?.join('\n'),
});

/**
 * The floor: the same commands without a workflow engine.
 * @returns {import('../systems.mjs').PeerSystem}
 */
export function createFloor() {
  return {
    install: () => Promise.resolve(),
    start: () => Promise.resolve(),
    stop: () => Promise.resolve(),
    pids: () => [],
    prepareRuns:
      ({ name }) =>
      async (folder) => {
        await runShell(`set -e\n${SCRIPTS[name]}`, folder);
        return '';
      },
    prepareAll: ({ name, inFlight }, folders) => {
      if (name !== 'w2') return undefined;
      const parent = dirname(folders[0] ?? '');
      writeFileSync(join(parent, 'Makefile'), MAKEFILE);
      writeFileSync(join(parent, 'folders'), `${folders.join('\n')}\n`);
      return async () => {
        const target = CHAINS.w2?.length;
        await runShell(`xargs -a folders -P${inFlight} -I{} make -s -j2 -C {} -f ../Makefile ${target}`, parent);
      };
    },
    readOutput,
  };
}
