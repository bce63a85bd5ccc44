import { expect, it } from '@jest/globals';
import { canHaveUserPerSlot } from '../testing/open-slot.js';
import { runInPod } from '../testing/run-in-pod.js';
import { runUnshared } from '../testing/run-unshared.js';

const TRY = `
const { mkdtempSync, rmSync } = await import('node:fs');
const { prepareContainer } = await load('prepare/prepare-container');
const { prepareIsolation } = await load('prepare/prepare-isolation');
const folder = mkdtempSync('/tmp/millrace-pod-');
const problems = prepareContainer(true).filter((problem) => problem.includes('/proc'));
const { mode, hasUserPerSlot } = await prepareIsolation('required', folder);
console.log(JSON.stringify({ problems, mode, hasUserPerSlot }));
rmSync(folder, { recursive: true });
`;

it('a pod with a user namespace isolates steps and gives each slot a user', async () => {
  const run = canHaveUserPerSlot() ? runInPod : (module: string) => runUnshared('', module);
  expect(await run(TRY)).toEqual({ problems: [], mode: 'sandbox', hasUserPerSlot: canHaveUserPerSlot() });
});
