import type { OperationExamples } from './operation-example.js';

/** Recorded by `npm run docs:examples`; do not edit. */
export const BILLING_EXAMPLES: OperationExamples = {
  "billing.budget.get": {
    "response": {
      "type": "application/json",
      "value": {
        "stop_running": false
      }
    }
  },
  "billing.budget.set": {
    "request": {
      "type": "application/json",
      "value": {
        "cloud_usage_limit": null
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "stop_running": false
      }
    }
  },
  "billing.customers.get": {
    "response": {
      "type": "application/json",
      "value": {
        "id": "01996a52-0000-7000-8000-000000000003",
        "vault_id": "01996a52-0000-7000-8000-000000000003",
        "vault_info": "01996a52-0000-7000-8000-000000000003",
        "restricted": false,
        "execution_units": 1,
        "plan": "enterprise",
        "is_active": true,
        "credits_used": 0.13
      }
    }
  },
  "billing.paymentMethods.add": {
    "request": {
      "type": "application/json",
      "value": {
        "card_number": "example-card-number-1",
        "exp_month": 12,
        "exp_year": 2027,
        "cvc": "737",
        "cardholder_name": "Mine"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "01996a52-0000-7000-8000-000000000119",
        "type": "card",
        "vault_info": "01996a52-0000-7000-8000-000000000003",
        "card_ending_in": "4444",
        "last4": "4444",
        "brand": "mastercard",
        "cardholder_name": "Mine",
        "subscription_amount": 0,
        "active": true,
        "is_default": true
      }
    }
  },
  "billing.paymentMethods.delete": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000120"
    }
  },
  "billing.paymentMethods.list": {
    "response": {
      "type": "application/json",
      "value": {
        "results": []
      }
    }
  },
  "billing.paymentMethods.setDefault": {
    "params": {
      "id": "01996a52-0000-7000-8000-000000000121"
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "01996a52-0000-7000-8000-000000000121",
        "type": "card",
        "vault_info": "01996a52-0000-7000-8000-000000000003",
        "card_ending_in": "4444",
        "last4": "4444",
        "brand": "mastercard",
        "cardholder_name": "Mine",
        "subscription_amount": 0,
        "active": true,
        "is_default": true
      }
    }
  },
  "billing.periods.list": {
    "response": {
      "type": "application/json",
      "value": {
        "results": [
          {
            "month": "2026-01",
            "execution_units": 1,
            "credits_used": 0.13,
            "cpu_seconds": 1,
            "subjobs": 8
          }
        ]
      }
    }
  },
  "billing.plans.choose": {
    "request": {
      "type": "application/json",
      "value": {
        "plan": "team"
      }
    },
    "response": {
      "type": "application/json",
      "value": {
        "id": "01996a52-0000-7000-8000-000000000003",
        "vault_id": "01996a52-0000-7000-8000-000000000003",
        "vault_info": "01996a52-0000-7000-8000-000000000003",
        "restricted": false,
        "execution_units": 1,
        "plan": "team",
        "is_active": true,
        "credits_remaining": 4999.32,
        "credits_used": 0.68
      }
    }
  },
  "billing.plans.list": {
    "response": {
      "type": "application/json",
      "value": {
        "results": [
          {
            "id": "free",
            "name": "Free",
            "description": "To try things out",
            "monthly_credits": 100,
            "roles": false,
            "open": true,
            "current": false
          },
          {
            "id": "team",
            "name": "Team",
            "description": "For daily work together",
            "monthly_credits": 5000,
            "roles": false,
            "open": true,
            "current": false
          },
          {
            "id": "enterprise",
            "name": "Enterprise",
            "description": "Without limit, with roles in the vault and in spaces",
            "roles": true,
            "open": true,
            "current": true
          }
        ]
      }
    }
  },
  "billing.usage.export": {
    "response": {
      "type": "text/csv",
      "value": "day,execution_units,cpu_seconds,subjobs,runs\n2026-01-15,8,1,8,2\n"
    }
  },
  "billing.usage.list": {
    "query": {
      "page_size": "2"
    },
    "response": {
      "type": "application/json",
      "value": {
        "results": [
          {
            "day": "2026-01-15",
            "execution_units": 1,
            "cpu_seconds": 1,
            "subjobs": 8,
            "runs": 2
          }
        ],
        "count": 1,
        "total": {
          "execution_units": 1,
          "cpu_seconds": 1,
          "subjobs": 8,
          "runs": 2
        },
        "next": null,
        "previous": null
      }
    }
  }
};
