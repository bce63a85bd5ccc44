import { Module } from '@nestjs/common';
import { SubjobsFinishedListener } from './subjobs-finished.listener.js';
import { VaultCreatedListener } from './vault-created.listener.js';

@Module({ providers: [VaultCreatedListener, SubjobsFinishedListener] })
export class BillingModule {}
