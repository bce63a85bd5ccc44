import { Controller, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { receiveStripeEvent } from '@millrace/contracts/billing/payment-methods';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import { readRequest } from './read-request.js';
import { Route } from './route.js';

/** Forwards Stripe events unmodified to the billing service, which has the secret of their signature. */
@Controller()
export class StripeEventsController {
  constructor(private readonly rpc: RpcClient) {}

  @Route(receiveStripeEvent)
  async receive(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const signature = request.headers['stripe-signature'];
    const body = {
      payload: Buffer.isBuffer(request.body) ? request.body.toString() : '',
      signature: typeof signature === 'string' ? signature : '',
    };
    const result = await this.rpc.send(receiveStripeEvent, readRequest(receiveStripeEvent, request, body));
    void reply.code(receiveStripeEvent.status).send(result);
  }
}
