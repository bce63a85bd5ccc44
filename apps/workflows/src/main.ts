import { runUntilSignal } from '@millrace/service/startup/run-until-signal';
import { start } from './start.js';

await runUntilSignal('workflows', start, process.env);
