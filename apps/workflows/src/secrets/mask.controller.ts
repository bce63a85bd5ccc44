import { Controller } from '@nestjs/common';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { maskSecrets } from '@millrace/contracts/workflows/secrets';
import { Handles } from '@millrace/messaging/handles';
import { SecretMasker } from './secret-masker.js';

@Controller()
export class MaskController {
  constructor(private readonly masker: SecretMasker) {}

  @Handles(maskSecrets)
  async mask({ body }: Input<typeof maskSecrets>): Promise<Result<typeof maskSecrets>> {
    const { texts, ...taken } = body;
    return { texts: await this.masker.mask(texts, taken) };
  }
}
