import { Controller, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { receiveStripeEvent } from '@millrace/contracts/billing/payment-methods';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import { readRequest } from './read-request.js';
import { Serves } from './route.js';

/** Events of Stripe, passed on as they came to the service that knows the secret of their signature. */
@Controller()
export class StripeEventsController {
  constructor(private readonly rpc: RpcClient) {}

  @Serves(receiveStripeEvent)
  async take(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const signature = request.headers['stripe-signature'];
    const body = {
      payload: Buffer.isBuffer(request.body) ? request.body.toString() : '',
      signature: typeof signature === 'string' ? signature : '',
    };
    const answer = await this.rpc.send(receiveStripeEvent, readRequest(receiveStripeEvent, request, body));
    void reply.code(receiveStripeEvent.status).send(answer);
  }
}
