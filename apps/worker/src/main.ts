import { runUntilSignal } from '@millrace/service/startup/run-until-signal';
import { start } from './start.js';

await runUntilSignal('worker', start, process.env);
