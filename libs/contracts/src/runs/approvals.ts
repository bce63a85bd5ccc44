import { z } from 'zod';
import { requires } from '../kit/access.js';
import { event } from '../kit/event.js';
import { text, timestamp } from '../kit/fields.js';
import { operation } from '../kit/operation.js';
import { APPROVAL_ROLES, subjob, subjobParams } from './subjobs.js';

export const APPROVAL_DECISIONS = ['approved', 'rejected'] as const;
export type ApprovalDecision = (typeof APPROVAL_DECISIONS)[number];

const decision = z.strictObject({
  comment: text(2_000).optional().describe('For the audit log, and for the steps that follow'),
});

const description =
  'The role that the node requires may be stronger than this operation needs. The decision, the user and the comment ' +
  'are recorded in the audit log, and become the output of the node.';

export const approveSubjob = operation('runs.approvals.approve', {
  method: 'POST',
  path: '/runs/{id}/subjobs/{subjobId}/approve',
  summary: 'Approve a subjob that waits for an approval',
  description,
  access: requires('space.run'),
  params: subjobParams,
  body: decision,
  response: subjob,
});

export const rejectSubjob = operation('runs.approvals.reject', {
  method: 'POST',
  path: '/runs/{id}/subjobs/{subjobId}/reject',
  summary: 'Reject a subjob that waits for an approval',
  description,
  access: requires('space.run'),
  params: subjobParams,
  body: decision,
  response: subjob,
});

const place = {
  run: z.string(),
  name: z.string().describe('Name of the run'),
  vault: z.uuid(),
  space: z.uuid(),
  workflow: z.uuid(),
  workflowName: z.string(),
  node: z.string(),
  label: z.string(),
};

/** Somebody has to decide, or nothing behind the node runs. Published once for all children that wait at the same time. */
export const approvalRequested = event('runs.approval.requested', {
  version: 1,
  consumers: ['notifications'],
  payload: z.object({
    ...place,
    author: z.uuid().describe('User who started the run'),
    message: z.string(),
    role: z.enum(APPROVAL_ROLES),
    subjobs: z.array(z.string()).max(20).describe('The first subjobs that wait'),
    count: z.number().int().describe('Number of subjobs that wait'),
    requestedAt: timestamp,
    expiresAt: timestamp.optional(),
    onExpiry: z.enum(['approve', 'reject']).optional(),
  }),
});

/** A user has decided, or the request has expired. */
export const approvalDecided = event('runs.approval.decided', {
  version: 1,
  consumers: ['auth', 'notifications'],
  payload: z.object({
    ...place,
    subjob: z.string(),
    decision: z.enum(APPROVAL_DECISIONS),
    user: z.uuid().optional().describe('Absent if it expired'),
    address: z.string().optional(),
    agent: z.string().optional(),
    comment: z.string().optional(),
    decidedAt: timestamp,
  }),
});
