import { Module } from '@nestjs/common';
import { NotificationsController } from './notifications.controller.js';
import { RunFinishedListener } from './run-finished.listener.js';

@Module({ controllers: [NotificationsController], providers: [RunFinishedListener] })
export class NotificationsModule {}
