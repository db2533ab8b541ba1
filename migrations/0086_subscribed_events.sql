CREATE VIEW `subscribed_events` AS select "events"."merchant_id" as merchant_id, "events"."test_mode" as test_mode, "events"."id" as id, "events"."type" as type,
  "webhooks"."seq" as webhook, "webhooks"."failures" >= 3 as slow,
  "webhooks"."probe_at" as probe_at, "webhooks"."shape" as shape,
  iif(json_valid("webhooks"."filter") and "webhooks"."filter" ->> '$.order' = 'object', case substr("events"."type", 1, instr("events"."type", '.') - 1) when 'order' then null when 'service' then 'service'
    else substr("events"."type", 1, instr("events"."type", '.') - 1) || '.' || coalesce("events"."object", "events"."row" ->> '$.id') end, null) as subject,
  iif(json_valid("webhooks"."filter") and "webhooks"."filter" ->> '$.order' = 'object', "events"."seq", null) as sequence
from "events" cross join "subscriptions" cross join "webhooks"
where "webhooks"."seq" = "subscriptions"."webhook" and "subscriptions"."merchant_id" = "events"."merchant_id"
  and "subscriptions"."test_mode" = "events"."test_mode" and "subscriptions"."type" in ("events"."type", '*')
  and "events"."type" <> 'product.availability_changed' and "events"."type" <> 'modifier.availability_changed' and "events"."type" <> 'coupon.limits_changed' and ("webhooks"."filter" is null or not json_valid("webhooks"."filter") or (
  (json_type("webhooks"."filter", '$.changed."' || "events"."type" || '"') is null or "events"."previous" is null or exists (
    select 1 from json_each("webhooks"."filter", '$.changed."' || "events"."type" || '"') as named
    where iif(instr(named.value, '"') = 0, json_type("events"."previous", '$."' || named.value || '"') is not null, true)))
  and not exists (
    select 1 from json_each("webhooks"."filter", '$.where') as rule
    where rule.key in ("events"."type", substr("events"."type", 1, instr("events"."type", '.') - 1) || '.*') and iif(rule.type = 'object',
      (rule.value ->> '$.visible' <> case
  when json_type("events"."row", '$.visible') is not null then "events"."row" ->> '$.visible'
  when "events"."type" glob 'product.*' then (select "products"."visible" from "products" where "products"."merchant_id" = "events"."merchant_id"
  and "products"."test_mode" = "events"."test_mode" and "products"."id" = "events"."row" ->> '$.id')
  when "events"."type" glob 'menu.*' then (select "menus"."visible" from "menus" where "menus"."merchant_id" = "events"."merchant_id"
  and "menus"."test_mode" = "events"."test_mode" and "menus"."id" = "events"."row" ->> '$.id')
  end
        and coalesce(rule.value ->> '$.visible' <> "events"."previous" ->> '$.visible', true))
      or (rule.value ->> '$.labelKey' is not null and not (case
  when "events"."type" = 'product.deleted' then "events"."kept" is null or exists (select 1 from json_each("events"."kept", '$.details') as kept,
  json_each(iif(json_valid(kept.value ->> '$.data'), kept.value ->> '$.data', '{}'), '$.labelKeys') as named where named.value = rule.value ->> '$.labelKey')
  else exists (select 1 from "product_labels" cross join "products" on "products"."seq" = "product_labels"."owner"
  where "product_labels"."merchant_id" = "events"."merchant_id" and "product_labels"."test_mode" = "events"."test_mode"
    and "product_labels"."label" = rule.value ->> '$.labelKey' and "products"."merchant_id" = "events"."merchant_id"
  and "products"."test_mode" = "events"."test_mode" and "products"."id" = "events"."row" ->> '$.id') or ("events"."type" = 'product.details_updated' and exists (select 1 from json_each("events"."previous", '$.labels') as named
  where lower(trim(named.value)) = rule.value ->> '$.labelKey' or named.value glob '*[^ -~]*')) end)), false))));
