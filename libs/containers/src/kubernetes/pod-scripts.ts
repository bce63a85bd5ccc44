import { readFileSync } from 'node:fs';

/** Reads a program that runs in the pods of steps. */
const read = (name: string): string => readFileSync(new URL(`../../pod/${name}`, import.meta.url), 'utf8');

export const RUN_STEP = read('run-step.sh');
export const FOLLOW_LOGS = read('follow-logs.pl');
export const COLLECT_OUTPUTS = read('collect-outputs.sh');
