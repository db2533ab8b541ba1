// Creates or updates products by your own ids: lines of id, tab and JSON. API_URL is https://…/merchants/mer_…
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

public class UpsertCatalogue {
    public static void main(String[] args) throws Exception {
        var client = HttpClient.newHttpClient();
        var out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (var line = lines.readLine(); line != null; line = lines.readLine()) {
            var parts = line.split("\t", 2);
            // URLEncoder writes a space as a plus sign, which in a path is a plus sign.
            var id = URLEncoder.encode(parts[0], StandardCharsets.UTF_8).replace("+", "%20");
            var request = HttpRequest.newBuilder(URI.create(System.getenv("API_URL") + "/products/external/" + id))
                .header("Authorization", "Bearer " + System.getenv("API_KEY"))
                .header("Content-Type", "application/json")
                .timeout(Duration.ofSeconds(30))
                .PUT(BodyPublishers.ofString(parts[1]))
                .build();
            var response = client.send(request, BodyHandlers.ofString());
            if (response.statusCode() >= 300) throw new IllegalStateException(parts[0] + ": " + response.body());
            out.println(parts[0] + (response.statusCode() == 201 ? " created" : " updated"));
        }
    }
}
