import type { OperationExamples } from './operation-example.js';

/** Recorded by `npm run docs:examples`; do not edit. */
export const AUTH_EXAMPLES: OperationExamples = {
  "auth.audit.list": {
    "query": {
      "action": "team.created",
      "page_size": "2"
    },
    "response": {
      "type": "application/json",
      "value": {
        "results": [
          {
            "id": "01996a52-0000-7000-8000-000000000009",
            "action": "team.created",
            "actor": {
              "id": "01996a52-0000-7000-8000-000000000002",
              "email": "user1@example.org"
            },
            "target_type": "team",
            "target_id": "1001",
            "target_name": "Mine",
            "details": {},
            "address": "192.0.2.10",
            "agent": "Mozilla/5.0",
            "created_date": "2026-01-15T09:00:00.000Z"
          }
        ],
        "count": 1,
        "next": null,
        "previous": null
      }
    }
  },
  "auth.devices.approve": {
    "request": {
      "type": "application/json",
      "value": {
        "user_code": "example-user-code-2"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "success": true,
        "status": "approved"
      }
    }
  },
  "auth.devices.describe": {
    "query": {
      "user_code": "example-user-code-1"
    },
    "response": {
      "type": "application/json",
      "value": {
        "client_id": "svc-cli",
        "address": "192.0.2.10",
        "agent": "Mozilla/5.0",
        "created_date": "2026-01-15T09:00:00.000Z",
        "expires_date": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "auth.devices.requestCode": {
    "request": {
      "type": "application/json",
      "value": {
        "client_id": "svc-cli"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "device_code": "example-device-code-2",
        "user_code": "example-user-code-3",
        "verification_uri": "https://millrace.example.org/device",
        "verification_uri_complete": "https://millrace.example.org/device?user_code=example-user-code-3",
        "expires_in": 600,
        "interval": 5
      }
    }
  },
  "auth.devices.token": {
    "request": {
      "type": "application/json",
      "value": {
        "grant_type": "urn:ietf:params:oauth:grant-type:device_code",
        "device_code": "example-device-code-1",
        "client_id": "svc-cli"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "access_token": "example-access-token-1",
        "refresh_token": "example-refresh-token-1",
        "token_type": "Bearer",
        "is_google": false
      }
    }
  },
  "auth.invitations.accept": {
    "request": {
      "type": "application/json",
      "value": {
        "token": "example-token-3",
        "name": "Ben Example",
        "password": "example-password-5"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "refresh": "example-refresh-7",
        "access": "example-access-5",
        "expiresAt": "2026-01-15T09:00:00.000Z",
        "user": {
          "id": "01996a52-0000-7000-8000-000000000038",
          "email": "user6@example.org",
          "name": "Ben Example",
          "vault": "01996a52-0000-7000-8000-000000000003",
          "vault_role": "member",
          "is_google": false,
          "mfa_enabled": false,
          "created_date": "2026-01-15T09:00:00.000Z"
        }
      }
    }
  },
  "auth.invitations.create": {
    "request": {
      "type": "application/json",
      "value": {
        "email": "user7@example.org"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "01996a52-0000-7000-8000-000000000039",
        "email": "user7@example.org",
        "role": "member",
        "status": "pending",
        "invited_by": "01996a52-0000-7000-8000-000000000002",
        "created_date": "2026-01-15T09:00:00.000Z",
        "expires_date": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "auth.invitations.describe": {
    "request": {
      "type": "application/json",
      "value": {
        "token": "example-token-4"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "email": "user8@example.org",
        "vault": "Ann Example's vault",
        "expires_date": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "auth.invitations.list": {
    "query": {
      "page_size": "2"
    },
    "response": {
      "type": "application/json",
      "value": {
        "results": [
          {
            "id": "01996a52-0000-7000-8000-000000000007",
            "email": "user3@example.org",
            "role": "member",
            "status": "pending",
            "invited_by": "01996a52-0000-7000-8000-000000000002",
            "created_date": "2026-01-15T09:00:00.000Z",
            "expires_date": "2026-01-15T09:00:00.000Z"
          },
          {
            "id": "01996a52-0000-7000-8000-000000000008",
            "email": "user2@example.org",
            "role": "member",
            "status": "accepted",
            "invited_by": "01996a52-0000-7000-8000-000000000002",
            "created_date": "2026-01-15T09:00:00.000Z",
            "expires_date": "2026-01-15T09:00:00.000Z"
          }
        ],
        "count": 2,
        "next": null,
        "previous": null
      }
    }
  },
  "auth.invitations.revoke": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000007"
    },
    "response": {
      "type": "application/json",
      "value": {
        "success": true
      }
    }
  },
  "auth.keys.jwks": {
    "response": {
      "type": "application/json",
      "value": {
        "keys": [
          {
            "kty": "EC",
            "x": "example-x",
            "y": "example-y",
            "crv": "P-256",
            "kid": "example-key",
            "use": "sig",
            "alg": "ES256"
          }
        ]
      }
    }
  },
  "auth.members.leave": {},
  "auth.members.list": {
    "query": {
      "page_size": "2"
    },
    "response": {
      "type": "application/json",
      "value": {
        "results": [
          {
            "id": "01996a52-0000-7000-8000-000000000006",
            "email": "user2@example.org",
            "name": "Guest",
            "vault_role": "member",
            "effective_role": "member",
            "teams": [
              {
                "id": "1001",
                "name": "Mine"
              }
            ],
            "is_google": false,
            "mfa_enabled": false,
            "disabled": false,
            "created_date": "2026-01-15T09:00:00.000Z"
          },
          {
            "id": "01996a52-0000-7000-8000-000000000002",
            "email": "user1@example.org",
            "name": "Ann Example",
            "vault_role": "owner",
            "effective_role": "owner",
            "teams": [],
            "is_google": false,
            "mfa_enabled": false,
            "disabled": false,
            "created_date": "2026-01-15T09:00:00.000Z"
          }
        ],
        "count": 2,
        "next": null,
        "previous": null
      }
    }
  },
  "auth.members.remove": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000037"
    }
  },
  "auth.members.update": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000006"
    },
    "request": {
      "type": "application/json",
      "value": {
        "disabled": false
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "01996a52-0000-7000-8000-000000000006",
        "email": "user2@example.org",
        "name": "Guest",
        "vault_role": "member",
        "effective_role": "member",
        "teams": [],
        "is_google": false,
        "mfa_enabled": false,
        "disabled": false,
        "created_date": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "auth.mfa.begin": {
    "response": {
      "type": "application/json",
      "value": {
        "secret": "example-secret-1",
        "otpauth_url": "otpauth://totp/Millrace:user5@example.org?issuer=Millrace&secret=example-secret-1&algorithm=SHA1&digits=6&period=30"
      }
    }
  },
  "auth.mfa.confirm": {
    "request": {
      "type": "application/json",
      "value": {
        "code": "123456"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "recovery_codes": [
          "example-recovery-codes-1",
          "example-recovery-codes-2",
          "example-recovery-codes-3"
        ]
      }
    }
  },
  "auth.mfa.remove": {
    "response": {
      "type": "application/json",
      "value": {
        "success": true
      }
    }
  },
  "auth.passwords.change": {
    "request": {
      "type": "application/json",
      "value": {
        "current_password": "example-current-password-1",
        "password": "example-password-3"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "refresh": "example-refresh-6",
        "access": "example-access-4",
        "expiresAt": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "auth.passwords.confirmReset": {
    "request": {
      "type": "application/json",
      "value": {
        "token": "example-token-2",
        "password": "example-password-4"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "success": true
      }
    }
  },
  "auth.passwords.requestReset": {
    "request": {
      "type": "application/json",
      "value": {
        "email": "user2@example.org"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "success": true
      }
    }
  },
  "auth.retention.getSpace": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000004"
    },
    "response": {
      "type": "application/json",
      "value": {
        "days": null,
        "runs": null,
        "source": "default"
      }
    }
  },
  "auth.retention.getVault": {
    "response": {
      "type": "application/json",
      "value": {
        "days": null,
        "runs": null,
        "source": "default"
      }
    }
  },
  "auth.retention.setSpace": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000004"
    },
    "request": {
      "type": "application/json",
      "value": {
        "days": null,
        "runs": null
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "days": null,
        "runs": null,
        "source": "space"
      }
    }
  },
  "auth.retention.setVault": {
    "request": {
      "type": "application/json",
      "value": {
        "days": null,
        "runs": null
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "days": null,
        "runs": null,
        "source": "vault"
      }
    }
  },
  "auth.retention.unsetSpace": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000004"
    },
    "response": {
      "type": "application/json",
      "value": {
        "days": null,
        "runs": null,
        "source": "vault"
      }
    }
  },
  "auth.roles.listSpace": {
    "params": {
      "spaceId": "01996a52-0000-7000-8000-000000000004"
    },
    "query": {
      "page_size": "2"
    },
    "response": {
      "type": "application/json",
      "value": {
        "results": [
          {
            "id": "01996a52-0000-7000-8000-000000000005",
            "role": "owner",
            "user": {
              "id": "01996a52-0000-7000-8000-000000000002",
              "email": "user1@example.org",
              "name": "Ann Example"
            },
            "created_date": "2026-01-15T09:00:00.000Z"
          }
        ],
        "count": 1,
        "next": null,
        "previous": null
      }
    }
  },
  "auth.roles.setTeamSpace": {
    "params": {
      "spaceId": "01996a52-0000-7000-8000-000000000004",
      "id": "1001"
    },
    "request": {
      "type": "application/json",
      "value": {
        "role": "read"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "success": true
      }
    }
  },
  "auth.roles.setTeamVault": {
    "params": {
      "id": "1001"
    },
    "request": {
      "type": "application/json",
      "value": {
        "role": "member"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "success": true
      }
    }
  },
  "auth.roles.setUserSpace": {
    "params": {
      "spaceId": "01996a52-0000-7000-8000-000000000004",
      "id": "01996a52-0000-7000-8000-000000000006"
    },
    "request": {
      "type": "application/json",
      "value": {
        "role": "read"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "success": true
      }
    }
  },
  "auth.roles.setUserVault": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000006"
    },
    "request": {
      "type": "application/json",
      "value": {
        "role": "member"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "success": true
      }
    }
  },
  "auth.roles.space": {
    "params": {
      "spaceId": "01996a52-0000-7000-8000-000000000004"
    },
    "response": {
      "type": "application/json",
      "value": {
        "results": [
          {
            "role": "owner",
            "source": "direct"
          }
        ],
        "effective": "owner"
      }
    }
  },
  "auth.roles.unsetTeamSpace": {
    "params": {
      "spaceId": "01996a52-0000-7000-8000-000000000004",
      "id": "1001"
    },
    "response": {
      "type": "application/json",
      "value": {
        "success": true
      }
    }
  },
  "auth.roles.unsetTeamVault": {
    "params": {
      "id": "1001"
    },
    "response": {
      "type": "application/json",
      "value": {
        "success": true
      }
    }
  },
  "auth.roles.unsetUserSpace": {
    "params": {
      "spaceId": "01996a52-0000-7000-8000-000000000004",
      "id": "01996a52-0000-7000-8000-000000000006"
    },
    "response": {
      "type": "application/json",
      "value": {
        "success": true
      }
    }
  },
  "auth.roles.unsetUserVault": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000006"
    },
    "response": {
      "type": "application/json",
      "value": {
        "success": true
      }
    }
  },
  "auth.roles.vault": {
    "response": {
      "type": "application/json",
      "value": {
        "results": [
          {
            "role": "owner",
            "source": "direct"
          }
        ],
        "effective": "owner"
      }
    }
  },
  "auth.sessions.end": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000034"
    },
    "response": {
      "type": "application/json",
      "value": {
        "success": true
      }
    }
  },
  "auth.sessions.endOthers": {
    "response": {
      "type": "application/json",
      "value": {
        "success": true,
        "ended": 0
      }
    }
  },
  "auth.sessions.list": {
    "query": {
      "page_size": "2"
    },
    "response": {
      "type": "application/json",
      "value": {
        "results": [
          {
            "id": "01996a52-0000-7000-8000-000000000001",
            "client": "web",
            "address": "192.0.2.10",
            "agent": "Mozilla/5.0",
            "current": true,
            "created_date": "2026-01-15T09:00:00.000Z",
            "last_used_date": "2026-01-15T09:00:00.000Z",
            "expires_date": "2026-01-15T09:00:00.000Z"
          }
        ],
        "count": 1,
        "next": null,
        "previous": null
      }
    }
  },
  "auth.sessions.login": {
    "request": {
      "type": "application/json",
      "value": {
        "email": "user1@example.org",
        "password": "example-password-1"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "refresh": "example-refresh-1",
        "access": "example-access-1",
        "expiresAt": "2026-01-15T09:00:00.000Z",
        "user": {
          "id": "01996a52-0000-7000-8000-000000000002",
          "email": "user1@example.org",
          "name": "Ann Example",
          "vault": "01996a52-0000-7000-8000-000000000003",
          "vault_role": "owner",
          "is_google": false,
          "mfa_enabled": false,
          "created_date": "2026-01-15T09:00:00.000Z"
        }
      }
    }
  },
  "auth.sessions.logout": {
    "request": {
      "type": "application/json",
      "value": {
        "refresh": "example-refresh-2"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "success": true
      }
    }
  },
  "auth.sessions.methods": {
    "response": {
      "type": "application/json",
      "value": {
        "signup": "open",
        "google": false
      }
    }
  },
  "auth.sessions.refresh": {
    "request": {
      "type": "application/json",
      "value": {
        "refresh": "example-refresh-3"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "refresh": "example-refresh-4",
        "access": "example-access-2",
        "expiresAt": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "auth.sessions.signup": {
    "request": {
      "type": "application/json",
      "value": {
        "email": "user4@example.org",
        "password": "example-password-2",
        "name": "Ann Example"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "refresh": "example-refresh-5",
        "access": "example-access-3",
        "expiresAt": "2026-01-15T09:00:00.000Z",
        "user": {
          "id": "01996a52-0000-7000-8000-000000000035",
          "email": "user4@example.org",
          "name": "Ann Example",
          "vault": "01996a52-0000-7000-8000-000000000036",
          "vault_role": "owner",
          "is_google": false,
          "mfa_enabled": false,
          "created_date": "2026-01-15T09:00:00.000Z"
        }
      }
    }
  },
  "auth.teams.addMember": {
    "params": {
      "id": "1001",
      "userId": "01996a52-0000-7000-8000-000000000006"
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "1001",
        "name": "Mine",
        "description": "",
        "vault_id": "01996a52-0000-7000-8000-000000000003",
        "vault": "Ann Example's vault",
        "members": [
          {
            "id": "01996a52-0000-7000-8000-000000000006",
            "email": "user2@example.org",
            "name": "Guest"
          }
        ],
        "created_date": "2026-01-15T09:00:00.000Z",
        "modified_date": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "auth.teams.create": {
    "request": {
      "type": "application/json",
      "value": {
        "name": "Example 6"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "1002",
        "name": "Example 6",
        "description": "",
        "vault_id": "01996a52-0000-7000-8000-000000000003",
        "vault": "Ann Example's vault",
        "members": [],
        "created_date": "2026-01-15T09:00:00.000Z",
        "modified_date": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "auth.teams.delete": {
    "params": {
      "id": "1003"
    }
  },
  "auth.teams.get": {
    "params": {
      "id": "1001"
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "1001",
        "name": "Mine",
        "description": "",
        "vault_id": "01996a52-0000-7000-8000-000000000003",
        "vault": "Ann Example's vault",
        "members": [
          {
            "id": "01996a52-0000-7000-8000-000000000006",
            "email": "user2@example.org",
            "name": "Guest"
          }
        ],
        "created_date": "2026-01-15T09:00:00.000Z",
        "modified_date": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "auth.teams.list": {
    "query": {
      "page_size": "2"
    },
    "response": {
      "type": "application/json",
      "value": {
        "results": [
          {
            "id": "1001",
            "name": "Mine",
            "description": "",
            "vault_id": "01996a52-0000-7000-8000-000000000003",
            "vault": "Ann Example's vault",
            "members": [
              {
                "id": "01996a52-0000-7000-8000-000000000006",
                "email": "user2@example.org",
                "name": "Guest"
              }
            ],
            "created_date": "2026-01-15T09:00:00.000Z",
            "modified_date": "2026-01-15T09:00:00.000Z"
          }
        ],
        "count": 1,
        "next": null,
        "previous": null
      }
    }
  },
  "auth.teams.removeMember": {
    "params": {
      "id": "1001",
      "userId": "01996a52-0000-7000-8000-000000000006"
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "1001",
        "name": "Mine",
        "description": "",
        "vault_id": "01996a52-0000-7000-8000-000000000003",
        "vault": "Ann Example's vault",
        "members": [],
        "created_date": "2026-01-15T09:00:00.000Z",
        "modified_date": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "auth.teams.update": {
    "params": {
      "id": "1001"
    },
    "request": {
      "type": "application/json",
      "value": {
        "description": "Changed"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "1001",
        "name": "Mine",
        "description": "Changed",
        "vault_id": "01996a52-0000-7000-8000-000000000003",
        "vault": "Ann Example's vault",
        "members": [],
        "created_date": "2026-01-15T09:00:00.000Z",
        "modified_date": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "auth.users.me": {
    "response": {
      "type": "application/json",
      "value": {
        "id": "01996a52-0000-7000-8000-000000000002",
        "email": "user1@example.org",
        "name": "Ann Example",
        "vault": "01996a52-0000-7000-8000-000000000003",
        "vault_role": "owner",
        "is_google": false,
        "mfa_enabled": false,
        "created_date": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "auth.users.regenerateToken": {
    "response": {
      "type": "application/json",
      "value": {
        "token": "example-token-1",
        "prefix": "abc123"
      }
    }
  },
  "auth.users.updateMe": {
    "request": {
      "type": "application/json",
      "value": {
        "name": "Renamed"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "01996a52-0000-7000-8000-000000000002",
        "email": "user1@example.org",
        "name": "Renamed",
        "vault": "01996a52-0000-7000-8000-000000000003",
        "vault_role": "owner",
        "is_google": false,
        "mfa_enabled": false,
        "created_date": "2026-01-15T09:00:00.000Z"
      }
    }
  },
  "auth.vaults.get": {
    "response": {
      "type": "application/json",
      "value": {
        "id": "01996a52-0000-7000-8000-000000000003",
        "name": "Ann Example's vault",
        "plan": "enterprise",
        "role": "owner",
        "created_date": "2026-01-15T09:00:00.000Z"
      }
    }
  }
};
