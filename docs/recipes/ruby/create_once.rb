# Creates a product exactly once, whatever the network does. API_URL is https://…/merchants/mer_…
require 'json'
require 'net/http'
require 'securerandom'

MAX_ATTEMPTS = 5
NO_RESPONSE = [SystemCallError, SocketError, EOFError, Timeout::Error, Net::HTTPBadResponse].freeze

def send_once(uri, headers, body)
  # Ruby repeats some requests by itself; here the attempts are counted.
  options = { use_ssl: uri.scheme == 'https', max_retries: 0, read_timeout: 30 }
  Net::HTTP.start(uri.host, uri.port, **options) { |http| http.post(uri, body, headers) }
rescue *NO_RESPONSE
  nil
end

def post(url, key, body)
  # The same key for all attempts: a repeated request returns the first response.
  headers = { 'Authorization' => "Bearer #{key}", 'Content-Type' => 'application/json', 'Idempotency-Key' => SecureRandom.uuid }
  1.upto(MAX_ATTEMPTS) do |attempt|
    response = send_once(URI(url), headers, body.to_json)
    return JSON.parse(response.body) if response.is_a?(Net::HTTPSuccess)

    temporary = response.nil? || response.code == '429' || response.code >= '500'
    abort response ? response.body : 'no response' if !temporary || attempt == MAX_ATTEMPTS
    sleep [0.25 * 2**attempt, response ? response['Retry-After'].to_f : 0].max
  end
end

puts post("#{ENV.fetch('API_URL')}/products", ENV.fetch('API_KEY'), { title: 'Lemon tart', price: '4.50' })['id']
