import { Controller } from '@nestjs/common';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { maskSecrets } from '@millrace/contracts/workflows/secrets';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { SecretMasker } from './secret-masker.js';

@Controller()
export class MaskingController {
  constructor(private readonly masker: SecretMasker) {}

  @OperationHandler(maskSecrets)
  async mask({ body }: Input<typeof maskSecrets>): Promise<Result<typeof maskSecrets>> {
    const { texts, ...variables } = body;
    return { texts: await this.masker.mask(texts, variables) };
  }
}
