import { parentPort, workerData } from 'node:worker_threads';
import { doYamlTask, type YamlTask } from './yaml-task.js';

parentPort?.postMessage(doYamlTask(workerData as YamlTask));
