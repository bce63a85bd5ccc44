import { subjectOf } from '@millrace/contracts/kit/operation';
import { receiveReports } from '@millrace/contracts/runs/engine';
import { startLink, type Link, type LinkedConnection } from './link.js';
import { FrameParser, type Frame } from './nats-frames.js';

/** What happens to the messages with reports that a worker sends. */
export type ReportRule = 'pass' | 'hold' | 'twice';

/** A link to NATS that can hold the reports of a worker back, or send them twice. Everything else passes. */
export interface ReportLink extends Link {
  rule: ReportRule;
  /** Number of messages that are held back. */
  readonly held: number;
  /** Passes on what was held back, in this order. Messages of connections that have ended are lost. */
  release(order: 'first to last' | 'last to first', times?: number): void;
}

const REPORTS = subjectOf(receiveReports);

export async function startReportLink(target: number): Promise<ReportLink> {
  const parsers = new WeakMap<LinkedConnection['client'], FrameParser>();
  let heldFrames: { connection: LinkedConnection; frame: Frame }[] = [];
  const send = ({ server }: LinkedConnection, { bytes }: Frame) => void (server.writable && server.write(bytes));
  const forward = (connection: LinkedConnection, bytes: Buffer) => {
    const parser = parsers.get(connection.client) ?? new FrameParser();
    parsers.set(connection.client, parser);
    for (const frame of parser.push(bytes)) {
      const rule = frame.subject === REPORTS ? reportLink.rule : 'pass';
      if (rule === 'hold') heldFrames.push({ connection, frame });
      else for (let times = rule === 'twice' ? 2 : 1; times > 0; times--) send(connection, frame);
    }
  };
  const reportLink: ReportLink = {
    ...(await startLink(target, forward)),
    rule: 'pass',
    get held() {
      return heldFrames.length;
    },
    release: (order, times = 1) => {
      const frames = order === 'first to last' ? heldFrames : heldFrames.toReversed();
      heldFrames = [];
      for (const { connection, frame } of frames) for (let sent = 0; sent < times; sent++) send(connection, frame);
    },
  };
  return reportLink;
}
