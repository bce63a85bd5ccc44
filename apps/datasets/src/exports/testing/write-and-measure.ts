import { ExportThreads } from '../attempts/export-threads.js';
import type { ExportTask } from '../writing/export-task.js';

/**
 * A program for tests of memory: writes the export that its argument describes and prints how many bytes the file has, and
 * how many the process had at most.
 */
const input = JSON.parse(process.argv[2] ?? '') as ExportTask;
const task = { ...input, now: new Date(input.now) };
const threads = new ExportThreads();
const { object } = await threads.write(task, {
  reserveFile: () => Promise.resolve(),
  reportProgress: () => undefined,
  signal: new AbortController().signal,
});
process.stdout.write(JSON.stringify({ size: object.size, peak: process.resourceUsage().maxRSS * 1024 }));
