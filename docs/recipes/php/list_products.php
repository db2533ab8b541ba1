<?php
// Prints the titles of all products, page by page. API_URL is https://…/merchants/mer_…
declare(strict_types=1);

function listAll(string $url, string $key): Generator
{
    $origin = preg_replace('~^(https?://[^/]+).*~', '$1', $url);
    $options = ['header' => "Authorization: Bearer $key", 'timeout' => 30, 'ignore_errors' => true, 'follow_location' => 0];
    while ($url !== null) {
        $body = file_get_contents($url, false, stream_context_create(['http' => $options]));
        $headers = $http_response_header ?? [];
        if ($body === false || !str_contains($headers[0] ?? '', ' 200')) {
            throw new RuntimeException($body ?: 'no response');
        }
        yield from json_decode($body, true, 512, JSON_THROW_ON_ERROR);
        $link = implode("\n", preg_grep('/^Link:/i', $headers));
        // The link is relative. Follow it instead of counting: a page can have fewer objects than `limit`.
        $url = preg_match('~<([^>]*)>;\s*rel="next"~', $link, $found) ? resolve($origin, $url, $found[1]) : null;
    }
}

/** A link of the service is a path, or only a query. */
function resolve(string $origin, string $url, string $link): string
{
    return $link[0] === '?' ? strtok($url, '?') . $link : $origin . $link;
}

foreach (listAll(getenv('API_URL') . '/products?limit=10', getenv('API_KEY')) as $product) {
    echo $product['title'], "\n";
}
