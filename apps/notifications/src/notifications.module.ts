import { Module, type DynamicModule } from '@nestjs/common';
import { ApprovalsListener } from './approvals/approvals.listener.js';
import { mailFolder, NOTIFICATIONS_ENV, type NotificationsEnv } from './env.js';
import { FeedChangesService } from './feed/feed-changes.service.js';
import { NotificationRetentionService } from './feed/notification-retention.service.js';
import { NotificationStreamController } from './feed/notification-stream.controller.js';
import { NotificationsController } from './feed/notifications.controller.js';
import { FollowsController } from './follows/follows.controller.js';
import { TableFollowsController } from './follows/table-follows.controller.js';
import { WorkflowDeletedListener } from './follows/workflow-deleted.listener.js';
import { deliverBySmtp } from './mail/delivery/deliver-by-smtp.js';
import { deliverToFolder } from './mail/delivery/deliver-to-folder.js';
import { MailFolderExpiryService } from './mail/delivery/mail-folder-expiry.service.js';
import { DELIVER } from './mail/delivery/outgoing-mail.js';
import { MailSender } from './mail/leases/mail-sender.js';
import { MailNotificationJob } from './mail/mail-notification.job.js';
import { PausedAddressesService } from './mail/paused-addresses.service.js';
import { PendingMailsService } from './mail/pending-mails.service.js';
import { SendMailJob } from './mail/send-mail.job.js';
import { MemberLeftListener } from './members/member-left.listener.js';
import { NotificationConfigController } from './preferences/notification-config.controller.js';
import { ModuleReleasedListener } from './releases/module-released.listener.js';
import { SnapshotPublishedListener } from './releases/snapshot-published.listener.js';
import { RunFinishedListener } from './runs/run-finished.listener.js';
import { RunStalledListener } from './runs/run-stalled.listener.js';
import { ScheduleRefusedListener } from './schedules/schedule-refused.listener.js';
import { NotifyTableChangeJob } from './table-changes/notify-table-change.job.js';
import { PendingTableChangesService } from './table-changes/pending-table-changes.service.js';
import { TableChangedListener } from './table-changes/table-changed.listener.js';
import { DeliveriesController } from './webhooks/deliveries/deliveries.controller.js';
import { DeliveryRetentionService } from './webhooks/deliveries/delivery-retention.service.js';
import { WebhookCleanupService } from './webhooks/deliveries/webhook-cleanup.service.js';
import { WebhookDispatcherService } from './webhooks/deliveries/webhook-dispatcher.service.js';
import { RestrictionsListener } from './webhooks/messages/restrictions.listener.js';
import { WebhookPublisher } from './webhooks/messages/webhook-publisher.js';
import { WebhookSender } from './webhooks/sending/webhook-sender.js';
import { SpaceDeletedListener } from './webhooks/settings/space-deleted.listener.js';
import { WebhookCipher } from './webhooks/settings/webhook-cipher.js';
import { WebhookSecretsController } from './webhooks/settings/webhook-secrets.controller.js';
import { WebhooksController } from './webhooks/settings/webhooks.controller.js';

@Module({})
export class NotificationsModule {
  static with(env: NotificationsEnv): DynamicModule {
    const { SMTP_URL: url, MAIL_FROM: from } = env;
    const deliver = url === undefined ? deliverToFolder(mailFolder(env), from) : deliverBySmtp(url, from);
    return {
      module: NotificationsModule,
      controllers: [
        NotificationsController,
        NotificationStreamController,
        NotificationConfigController,
        FollowsController,
        TableFollowsController,
        WebhooksController,
        WebhookSecretsController,
        DeliveriesController,
      ],
      providers: [
        { provide: NOTIFICATIONS_ENV, useValue: env },
        { provide: DELIVER, useValue: deliver },
        RunFinishedListener,
        ApprovalsListener,
        RunStalledListener,
        ScheduleRefusedListener,
        SnapshotPublishedListener,
        ModuleReleasedListener,
        WorkflowDeletedListener,
        MemberLeftListener,
        TableChangedListener,
        NotifyTableChangeJob,
        PendingTableChangesService,
        MailSender,
        MailFolderExpiryService,
        PausedAddressesService,
        PendingMailsService,
        SendMailJob,
        MailNotificationJob,
        FeedChangesService,
        NotificationRetentionService,
        WebhookCipher,
        WebhookPublisher,
        RestrictionsListener,
        SpaceDeletedListener,
        WebhookSender,
        WebhookDispatcherService,
        DeliveryRetentionService,
        WebhookCleanupService,
      ],
    };
  }
}
