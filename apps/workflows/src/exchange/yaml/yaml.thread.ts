import { parentPort, workerData } from 'node:worker_threads';
import { runYamlTask, type YamlTask } from './yaml-task.js';

parentPort?.postMessage(runYamlTask(workerData as YamlTask));
