import { buildWorkspaces } from './lib/build/build-workspaces.mjs';
import { ensureInstalled } from './lib/install/ensure-installed.mjs';
import { enterRuntime } from './lib/install/enter-runtime.mjs';
import { ROOT } from './lib/layout.mjs';
import { ensureDocker } from './lib/machine/ensure-docker.mjs';
import { parseArguments } from './lib/parse-arguments.mjs';
import { phase, runMain } from './lib/report.mjs';
import { abortOnSignal } from './lib/system/abort-on-signal.mjs';
import { cleanEnv } from './lib/test/clean-env.mjs';
import { makeTestFolder } from './lib/test/make-test-folder.mjs';
import { runJest } from './lib/test/run-jest.mjs';
import { removeTestFolder, sweepLeftovers } from './lib/test/sweep-leftovers.mjs';

const USAGE = `npm run test:docker   tests steps in containers with the Docker daemon of this machine

  --help   show this help

It needs a daemon (DOCKER_HOST, or /var/run/docker.sock) that sees the files of this machine at the same paths, the command
docker, and busybox-static, of which it makes an image. It fails if one of them is missing.`;

const report = (/** @type {string} */ line) => console.log(line);

await runMain(async () => {
  const { values } = parseArguments({ options: { help: { type: 'boolean' } } }, USAGE);
  if (values.help) return console.log(USAGE);
  const { node } = await ensureInstalled(ROOT, report);
  if (await enterRuntime(ROOT, node)) return Number(process.exitCode);
  const signal = abortOnSignal();
  await ensureDocker(process.env);
  await sweepLeftovers();
  await phase(report, 'build', () => buildWorkspaces(ROOT));
  const folders = makeTestFolder();
  const variables = {
    TMPDIR: folders.scratch,
    TEST_SECRETS_FILE: folders.secrets,
    TEST_LOGS_DIR: folders.logs,
  };
  const args = ['--runInBand', '--testMatch', '**/e2e/docker/*.docker.ts'];
  const options = { env: { ...cleanEnv(process.env), ...variables }, results: folders.results, signal, watch: false };
  const code = await runJest(args, options);
  if (code === 0) await removeTestFolder(folders.folder);
  else report(`The logs are in ${folders.logs}.`);
  return signal.aborted ? 130 : code;
});
