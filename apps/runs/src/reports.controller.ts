import { Controller } from '@nestjs/common';
import { ValidationError } from '@millrace/contracts/kit/api-error';
import type { Input } from '@millrace/contracts/kit/operation';
import { takeReports } from '@millrace/contracts/runs/engine';
import { Handles } from '@millrace/messaging/handles';
import { Engine } from './engine/engine.js';

@Controller()
export class ReportsController {
  constructor(private readonly engine: Engine) {}

  /** Workers are the one part that runs other people's code: what they say is parsed, unlike what the gateway has parsed. */
  @Handles(takeReports)
  async take({ body }: Input<typeof takeReports>): Promise<null> {
    const message = takeReports.body.safeParse(body);
    if (!message.success) throw new ValidationError({ body: message.error.message });
    await this.engine.take(message.data);
    return null;
  }
}
