# Prints the titles of all products, page by page. API_URL is https://…/merchants/mer_…
require 'json'
require 'net/http'

def each_object(url, key)
  uri = URI(url)
  while uri
    response = Net::HTTP.get_response(uri, 'Authorization' => "Bearer #{key}")
    raise response.body unless response.is_a?(Net::HTTPOK)

    JSON.parse(response.body).each { |object| yield object }
    link = response['Link'].to_s[/<([^>]*)>;\s*rel="next"/, 1]
    # The link is relative. Follow it instead of counting: a page can have fewer objects than `limit`.
    uri = link && URI.join(uri, link)
  end
end

each_object("#{ENV.fetch('API_URL')}/products?limit=10", ENV.fetch('API_KEY')) { |product| puts product['title'] }
