# Verifies a webhook: ruby verify_webhook.rb ID TIMESTAMP SIGNATURE < body, with WEBHOOK_SECRET.
require 'json'
require 'openssl'

TOLERANCE_SECONDS = 300
NotAuthentic = Class.new(StandardError)

# Returns the event. Raises NotAuthentic. `body` is the raw body.
def verify(secret, id, timestamp, signatures, body)
  fresh = timestamp.match?(/\A\d{1,12}\z/) && (Time.now.to_i - timestamp.to_i).abs <= TOLERANCE_SECONDS
  raise NotAuthentic, "sent too long ago, or this machine's clock is wrong" unless fresh

  key = secret.delete_prefix('whsec_').unpack1('m')
  expected = "v1,#{[OpenSSL::HMAC.digest('SHA256', key, "#{id}.#{timestamp}.#{body}")].pack('m0')}"
  # Several signatures while a secret is rotated.
  signed = signatures.split.any? { |each| OpenSSL.secure_compare(expected, each) }
  raise NotAuthentic, 'not signed with this secret' unless signed

  JSON.parse(body)
end

begin
  event = verify(ENV.fetch('WEBHOOK_SECRET'), *ARGV.first(3), $stdin.binmode.read)
  puts "#{event['type']} #{event['id']}"
rescue NotAuthentic => e
  abort e.message
end
