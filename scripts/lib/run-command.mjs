import { spawn } from 'node:child_process';

/**
 * Runs a command until it ends, and collects the output of both streams in the order of arrival.
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions & { input?: string, signal?: AbortSignal }} [options]
 * @returns {Promise<{ code: number, output: string }>} code is 127 if the command cannot be started, and 128 if a signal ended it
 */
export function runCommand(command, args, { input, ...options } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      ...options,
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    let output = '';
    child.stdout?.on('data', (chunk) => (output += chunk));
    child.stderr?.on('data', (chunk) => (output += chunk));
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
    child.on('error', (error) => resolve({ code: 127, output: `${output}${error.message}\n` }));
    child.on('close', (code) => resolve({ code: code ?? 128, output }));
  });
}

/**
 * @param {string} text
 * @param {number} lines
 */
export function lastLines(text, lines) {
  return text.trimEnd().split('\n').slice(-lines).join('\n');
}
