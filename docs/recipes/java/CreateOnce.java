// Creates a product exactly once, whatever the network does. API_URL is https://…/merchants/mer_…
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.UUID;

public class CreateOnce {
    static final int MAX_ATTEMPTS = 5;
    static final HttpClient CLIENT = HttpClient.newHttpClient();

    static String post(String url, String key, String body) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create(url))
            .header("Authorization", "Bearer " + key)
            .header("Content-Type", "application/json")
            // The same key for all attempts: a repeated request returns the first response.
            .header("Idempotency-Key", UUID.randomUUID().toString())
            .timeout(Duration.ofSeconds(30))
            .POST(BodyPublishers.ofString(body))
            .build();
        for (int attempt = 1; ; attempt++) {
            double wait = 0.25 * Math.pow(2, attempt);
            try {
                HttpResponse<String> response = CLIENT.send(request, BodyHandlers.ofString());
                int status = response.statusCode();
                if (status < 300) return response.body();
                if (status != 429 && status < 500 || attempt == MAX_ATTEMPTS) throw new IllegalStateException(response.body());
                wait = Math.max(wait, Double.parseDouble(response.headers().firstValue("Retry-After").orElse("0")));
            } catch (IOException noResponse) {
                if (attempt == MAX_ATTEMPTS) throw noResponse;
            }
            Thread.sleep((long) (wait * 1000));
        }
    }

    public static void main(String[] args) throws Exception {
        var body = "{\"title\": \"Lemon tart\", \"price\": \"4.50\"}";
        System.out.println(post(System.getenv("API_URL") + "/products", System.getenv("API_KEY"), body));
    }
}
