import type { Fault } from '../cases/fault-case.js';
import type { ReachedEdge } from '../edges/reach-edge.js';
import { cutOff } from './cut-off.js';
import { fillDisk } from './fill-disk.js';
import { flushRedis, removeJetstream } from './lose-data.js';
import { misdeliverReports } from './misdeliver-reports.js';
import { killProcess, restartProcess, stopProcess } from './signal-process.js';

/** Injects a fault at an edge that is reached, lets the edge pass, and ends the fault. */
export async function injectFault(fault: Fault, edge: ReachedEdge): Promise<void> {
  switch (fault.kind) {
    case 'kill':
      return killProcess(fault, edge);
    case 'stop':
      return stopProcess(fault, edge);
    case 'restart':
      return restartProcess(fault, edge);
    case 'flush-redis':
      await flushRedis(edge.matrix);
      return edge.pass();
    case 'remove-jetstream':
      await removeJetstream(edge.matrix);
      return edge.pass();
    case 'cut-off':
      return cutOff(fault, edge);
    case 'reports':
      return misdeliverReports(fault.how, edge);
    case 'clock':
      return edge.pass();
    case 'full-disk':
      return fillDisk(fault, edge);
  }
}
