import { Injectable } from '@nestjs/common';
import { NotFound } from '@millrace/contracts/kit/api-error';
import { findSpaceOf } from '@millrace/contracts/workflows/spaces';
import { Asker } from '@millrace/messaging/asker';
import type { Context } from '@millrace/messaging/context';

/** Spaces are the workflows service's; roles in them are kept here. */
@Injectable()
export class SpaceNames {
  constructor(private readonly asker: Asker) {}

  /** @throws NotFound where the caller's vault has no such space */
  async find(space: string, { caller, requestId }: Context): Promise<string> {
    const { name } = await this.asker.ask(findSpaceOf, { vault: caller.vault, space }, { caller: null, requestId });
    if (name === null) throw new NotFound('Space');
    return name;
  }
}
