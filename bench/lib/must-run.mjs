import { lastLines, runCommand } from '../../scripts/lib/run-command.mjs';

/**
 * Runs a shell command in a folder and gives what it printed.
 * @param {string} command
 * @param {string} folder
 * @returns {Promise<string>}
 */
export async function mustRun(command, folder) {
  const { code, output } = await runCommand('sh', ['-c', command], {
    cwd: folder,
    // What steps have, so that the same commands cost the same.
    env: { PATH: process.env.PATH, LC_CTYPE: 'C.UTF-8' },
  });
  if (code !== 0) throw new Error(`${command} ended with ${code}:\n${lastLines(output, 10)}`);
  return output;
}
