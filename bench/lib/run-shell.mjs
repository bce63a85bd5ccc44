import { lastLines, runCommand } from '../../scripts/lib/run-command.mjs';

/**
 * Runs a shell command in a folder and returns its output.
 * @param {string} command
 * @param {string} folder
 * @returns {Promise<string>}
 */
export async function runShell(command, folder) {
  const { code, output } = await runCommand('sh', ['-c', command], {
    cwd: folder,
    // The environment of a workflow's steps, so that the same command costs the same.
    env: { PATH: process.env.PATH, LC_CTYPE: 'C.UTF-8' },
  });
  if (code !== 0) throw new Error(`\`${command}\` failed with exit code ${code}:\n${lastLines(output, 10)}`);
  return output;
}
