# Creates or updates products by your own ids: lines of id, tab and JSON. API_URL is https://…/merchants/mer_…
require 'erb'
require 'net/http'

headers = { 'Authorization' => "Bearer #{ENV.fetch('API_KEY')}", 'Content-Type' => 'application/json' }
base = URI("#{ENV.fetch('API_URL')}/products/external/")
# One connection for all rows.
Net::HTTP.start(base.host, base.port, use_ssl: base.scheme == 'https', read_timeout: 30) do |http|
  $stdin.each_line(chomp: true) do |line|
    external_id, body = line.split("\t", 2)
    response = http.put(base.path + ERB::Util.url_encode(external_id), body, headers)
    abort "#{external_id}: #{response.body}" unless response.is_a?(Net::HTTPSuccess)

    puts "#{external_id} #{response.is_a?(Net::HTTPCreated) ? 'created' : 'updated'}"
  end
end
